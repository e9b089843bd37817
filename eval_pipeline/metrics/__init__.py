"""Rankings and labels become numbers, or named reasons where there is no number.

Belongs here: one measure a file, policies, controls' expectation over ties, intervals, slices, comparisons, losses.
Does not belong here: what a number rests on as rows (`receipts`), and where either is stored (`ledger`).
"""
