"""What every room shares: ids, errors, table schemas, ordering, settings, the project file, protocols.

Belongs here: words and checks that two or more rooms need, and that need no room themselves.
Does not belong here: anything about PDFs, vectors, judges, measures, SQL or Dagster.
"""
