-- Final lists of given questions of one run.
-- Input: $retrieval_run_id, frame wanted(question_id). Grain: one row per question x rank.
SELECT q.question_id, r.rank, r.unit_id
FROM runs.question_ranking AS q
JOIN (SELECT DISTINCT question_id FROM wanted) AS w ON w.question_id = q.question_id
JOIN runs.ranking AS r ON r.ranking_id = q.ranking_id
WHERE q.retrieval_run_id = $retrieval_run_id AND q.stage = 'final'
ORDER BY q.question_id, r.rank
