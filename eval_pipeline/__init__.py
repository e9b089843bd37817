"""The road from a folder of documents to a number that can be traced back to them.

    foundation | tasks -> corpus -> embeddings -> templates -> negatives -> judging -> questions -> runs
               -> labels -> metrics -> receipts | ledger | demo  report  orchestration  cli

Each room turns what stands on its left into what stands on its right and imports rooms to its left only.
`foundation` holds what every room shares; `ledger` is the only room with DuckDB, `embeddings` the only one with
torch, open_clip and faiss, `orchestration` the only one with Dagster. This module imports nothing.
"""
