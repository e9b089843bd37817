"""The only room with DuckDB: the record in commits, the file that answers questions about it, and every query.

Belongs here: the schema, the lock, commits and how they are applied, rebuilding, `.sql` files named by stage and verb.
Does not belong here: what rows mean or how they are computed; no other room may know a table by SQL.
"""
