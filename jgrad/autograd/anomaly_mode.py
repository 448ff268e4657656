"""`torch.autograd.anomaly_mode`: anomaly detection under the name by which programs import it."""

from jgrad.graph.anomaly_mode import detect_anomaly as detect_anomaly
from jgrad.graph.anomaly_mode import set_detect_anomaly as set_detect_anomaly
