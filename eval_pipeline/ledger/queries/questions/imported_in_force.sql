-- People's questions, as looked up in a corpus snapshot.
-- Input: $batch_id, $source_ids (list). Grain: one row per question.
SELECT DISTINCT q.* EXCLUDE (commit_id, made_at_utc)
FROM questions.imported_question AS i
JOIN questions.question AS q ON q.question_id = i.question_id
WHERE i.batch_id = $batch_id AND list_contains($source_ids, i.source_id)
ORDER BY q.question_id
