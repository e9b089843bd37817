-- One evaluation with the time at which it was made.
-- Input: $evaluation_id. Grain: no row or one.
SELECT * EXCLUDE (commit_id) FROM metrics.evaluation WHERE evaluation_id = $evaluation_id
