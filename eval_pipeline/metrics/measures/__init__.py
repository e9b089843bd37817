"""One measure a file.

Belongs here: what a measure reads of a ranking, what it divides by, its value under chance and over ties.
Does not belong here: policies, cut-offs of other measures, means over questions.
"""
