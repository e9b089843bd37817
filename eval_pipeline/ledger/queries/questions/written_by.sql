-- Purpose: what paid writers were asked, what came of it and what it took.
-- Input: frame writers(writer).
-- Grain: one row per writer, page and attempt.
SELECT p.* EXCLUDE (commit_id, made_at_utc)
FROM questions.written_page AS p
JOIN (SELECT DISTINCT writer FROM writers) AS w ON w.writer = p.writer
ORDER BY p.writer, p.unit_id, p.attempt
