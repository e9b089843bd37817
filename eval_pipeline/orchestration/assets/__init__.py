"""One module per stage, named by the stage word; every asset is a thin page.

Belongs here: read inputs, one domain call, record, report. Does not belong here: arithmetic, branches on data values.
"""
