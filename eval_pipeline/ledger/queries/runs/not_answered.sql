-- Questions of a run that its retriever did not answer and that have no ranking in it yet, with the last reason.
-- Input: $retrieval_run_id. Grain: one row per question.
SELECT f.question_id, arg_max(f.reason, f.made_at_utc) AS reason, arg_max(f.detail, f.made_at_utc) AS detail
FROM runs.failed_question AS f
WHERE f.retrieval_run_id = $retrieval_run_id
  AND NOT EXISTS (
    SELECT 1 FROM runs.question_ranking AS q
    WHERE q.retrieval_run_id = f.retrieval_run_id AND q.question_id = f.question_id AND q.stage = 'final'
  )
GROUP BY f.question_id
ORDER BY f.question_id
