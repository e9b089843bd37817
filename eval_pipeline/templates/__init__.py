"""From vectors and layout signatures to a template per unit.

Belongs here: clustering, assignment of new units, the buffer, template ids, the hash of a template's members.
Does not belong here: how a vector is drawn or searched, facets, or which sibling becomes a negative.
"""
