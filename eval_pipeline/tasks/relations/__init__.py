"""One file per relation that a question may have to a unit.

Belongs here: what the grades mean in words, what a hard negative is, which answer units fit.
Does not belong here: how negatives are found (`negatives`) or judged (`judging`).
"""
