"""Labels that people give elsewhere: files out, files back in.

Belongs here: CSV and Label Studio JSON of pairs to label, reading them back, checking every row.
Does not belong here: review pages (`report`), where rows are stored (`ledger`).
"""
