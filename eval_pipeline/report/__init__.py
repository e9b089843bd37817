"""Pages that people read.

Belongs here: the report as one self-contained HTML file, its charts, its words.
Does not belong here: how a number is computed (`metrics`), SQL (`ledger`): a page is handed everything that it shows.
"""
