"""Writers of questions: each sees one page and nothing else.

Belongs here: one module per writer. Does not belong here: which pages are asked about (writing), verdicts (posing).
"""
