"""Proofs by simulation that the figures mean what they say.

Belongs here: synthetic retrievers, coverage of intervals, false alarms and power of comparisons, audits, each against a
bound that was stated before. Does not belong here: reading a project, drawing, or a second copy of anything that is
being proved: every line goes through the code that scores a real run.
"""
