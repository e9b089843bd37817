"""A declaration proposed for a folder of documents that has none.

Belongs here: looking at documents and tables, recognising what a column or a file name says, measuring how much of it
can be read. Does not belong here: writing files, printing, anything that a project with an `eval.yaml` needs.
"""
