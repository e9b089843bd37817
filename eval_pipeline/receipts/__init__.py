"""What every number rests on, stored so that it can be walked back and checked.

Belongs here: building receipts and figures as rows, verifying them from stored rows, tracing them back and forward.
Does not belong here: how a value is computed (`metrics`), where rows are kept (`ledger`), how they look (`report`).
"""
