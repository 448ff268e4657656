"""The notebooks: their stored outputs are PyTorch's, their solutions print what they say."""
