"""A made-up world of companies and reports, drawn as real PDFs, and what is true in it.

Belongs here: the generator of the demo corpus, the truth of every page, the stand-in reviewer that reads the truth,
the demo project folder.
Does not belong here: anything the pipeline may know. No other room imports this one; the stand-in reviewer is loaded
by name from `eval.yaml`.
"""
