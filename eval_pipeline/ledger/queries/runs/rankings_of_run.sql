-- Rankings of one run, every stage.
-- Input: $retrieval_run_id. Grain: one row per question x stage x rank.
SELECT q.question_id, q.stage, q.notes, r.rank, r.unit_id, r.score
FROM runs.question_ranking AS q
JOIN runs.ranking AS r ON r.ranking_id = q.ranking_id
WHERE q.retrieval_run_id = $retrieval_run_id
ORDER BY q.question_id, q.stage, r.rank
