"""The review pages: one question, one page, three keys.

Belongs here: what a reviewer is shown and may do, the web app on 127.0.0.1, its templates, style and script.
Does not belong here: which pairs wait and what a decision becomes (`labels`), SQL (`ledger`): a reader is handed in.
"""
