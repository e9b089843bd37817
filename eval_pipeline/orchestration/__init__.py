"""When, how often, for which partition, and what the Dagster UI shows: the only room with Dagster.

Belongs here: assets (read, one domain call, record, report), checks, partitions, schedules, resources, runs.
Does not belong here: arithmetic on data, SQL, parsing, anything that could run in a notebook without a scheduler.
"""
