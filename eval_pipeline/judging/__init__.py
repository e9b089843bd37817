"""Judges: one question and one page in, a verdict with a reason out.

Belongs here: the judge kinds, what they need to read a question and a page, and the cache of verdicts.
Does not belong here: which pairs are asked and what follows from the answers (questions, labels), or storage (ledger).
"""
