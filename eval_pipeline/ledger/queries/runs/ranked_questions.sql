-- Which questions and stages a run has, empty answers included.
-- Input: $retrieval_run_id. Grain: one row per question x stage.
SELECT question_id, stage, ranking_id, n_units, notes, made_at_utc
FROM runs.question_ranking
WHERE retrieval_run_id = $retrieval_run_id
ORDER BY question_id, stage
