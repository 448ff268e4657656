def tensor_repr(t): return f"tensor({t._a})"
def set_printoptions(**k): pass
