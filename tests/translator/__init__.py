"""The translator of the views: each construct in Python and in JavaScript."""
