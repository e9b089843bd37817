"""Judgments of pairs (question, unit): who said what, what is in force, how far model labels can be trusted.

Belongs here: candidate pools, labels of judges, imports and people, the random audit, agreement, effective pools.
Does not belong here: how a judge reads a page (`judging`), measures (`metrics`), review pages (`report`).
"""
