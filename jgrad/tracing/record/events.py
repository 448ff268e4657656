"""The events of the event log: tuples that begin with one of these numbers. (The log also has the records of objects that died.)

Steps:
    (OP, kind, operator, place, backward call, tensors read, tensors made, node)
    (BACKWARD, "backward" or "grad", place, backward call, roots, gradients to start with)
    (NODE, node, place, backward call, gradients that arrived, gradients sent)
    (ACCUMULATE, tensor, place, backward call, node, whether it is a leaf, output number, before, added, after, tensor made or None, write)
    (ASSIGNED, tensor, place, tensor that is its .grad now, before, after)
    (ERROR, place, node, backward call, {"type", "message"})
    (GAP, first round, last round, steps or None, writes, gradients)   see `jgrad/tracing/record/compaction.py`
What was noticed about steps:
    (CHANGE, record of a tensor, step, whether that step did it, state)
    (WRITTEN, step, write, None or (whose .grad it is, before, after))
    (SEEN, step, write)         the step returned a tensor that existed before it
    (MAP, step, index map)
    (DONE,)                     the outermost backward call is over
    (WITHIN, layer call)        from now on, operations run in this call of a module; None: in none (`jgrad/tracing/record/layers.py`)

Tensors, nodes and backward calls are numbers in the lists of the recorder; gradients are what `measure` gives; a write is what
`Recorder._written` gives; a place is a `Place`.
"""

OP, BACKWARD, NODE, ACCUMULATE, ASSIGNED, ERROR, CHANGE, WRITTEN, SEEN, MAP, DONE, GAP, WITHIN = range(13)
