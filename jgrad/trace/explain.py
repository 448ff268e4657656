def notes(document): return []
