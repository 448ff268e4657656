"""Keep large blocks of memory in the process when arrays are freed.

glibc gives large blocks back to the system, and maps new ones for the next arrays. The system then has to clear their pages one by one. That
takes several times as long as an addition or an exponential of their elements. glibc stops doing so for blocks that are no larger than the
largest block that it has seen freed, up to 32 MiB. Most processes get there sooner or later. Here glibc sees such a block at once. Nothing
touches that block, so it costs neither memory nor time. Free memory beyond 64 MiB at the end of the heap still goes back to the system. (Other
allocators have no such rule. For them this has no effect.)
"""

import numpy as np

LARGEST = 32 << 20  # bytes
ADDED = 1 << 16  # bytes that glibc adds at most: a header, and the rest of a page

np.empty(LARGEST - ADDED, np.uint8)
