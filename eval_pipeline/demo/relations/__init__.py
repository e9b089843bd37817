"""Small made-up data for the relations other than evidence, and what is true of them.

Belongs here: pictures with copies and look-alikes, views of objects, passages, a recording's transcript; each drawn
from a seed, with its truth in a file outside the corpus.
Does not belong here: the reports of the demo corpus (the rooms beside this one), how negatives are found.
"""
