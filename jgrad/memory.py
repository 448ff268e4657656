"""Large blocks of memory stay with the process when arrays are freed.

glibc gives them back to the system and maps others for the next arrays, whose pages the system then has to clear one by one: that takes
several times as long as an addition or an exponential of their elements. It stops doing so for blocks no larger than the largest one
that it has seen freed, up to 32 MiB; most processes get there sooner or later. Here it sees one at once, which nobody touches, so that it
costs neither memory nor time. What lies free at the end of the heap beyond 64 MiB it still gives back. (Other allocators have no such
rule, and take no notice.)
"""

import numpy as np

LARGEST = 32 << 20  # bytes
ADDED = 1 << 16  # at most, by glibc: a header, and the rest of a page

np.empty(LARGEST - ADDED, np.uint8)
