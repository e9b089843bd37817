"""From templates and facets to negatives: pools per unit and axis, random draws, hardness.

Belongs here: which units stand against a gold unit, in which order, for which declared reason, and how hard they are.
Does not belong here: whether a negative answers a question, or the effective pool (that is made from labels).
"""
