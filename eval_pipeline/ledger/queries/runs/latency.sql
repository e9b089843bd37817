-- How long a run took per question. Input: $retrieval_run_id. Grain: one row per stage that was measured.
SELECT stage, count(*) AS n_questions, quantile_cont(elapsed_s, 0.5) AS median_s, quantile_cont(elapsed_s, 0.95) AS p95_s
FROM runs.timing
WHERE retrieval_run_id = $retrieval_run_id
GROUP BY stage
ORDER BY stage
