"""What an evaluation asks for, declared before any run is read.

Belongs here: task contracts, relations with their grades in words, answer units, measure names, splits.
Does not belong here: how a measure is computed (`metrics`), which questions there are (`questions`).
"""
