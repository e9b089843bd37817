"""Whether data is good enough to go on: the rule stands in its stage, here it is wired as a blocking check.

Belongs here: one module per stage, each check with the rule it asks and what it shows when it fails.
Does not belong here: the rules themselves.
"""

from eval_pipeline.orchestration.checks import corpus, metrics, negatives, questions

ALL_CHECKS = [*corpus.ALL, *negatives.ALL, *questions.ALL, *metrics.ALL]
