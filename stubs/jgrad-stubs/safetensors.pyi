from jgrad.serialization.safetensors import *
