"""Ways to retrieve, and what each of them ranked for every question.

Belongs here: variants, retrievers, fusion, eligibility, final policy, controls, arenas, rankings per stage.
Does not belong here: vectors and their index (`embeddings`), labels, numbers computed from a ranking (`metrics`).
"""
