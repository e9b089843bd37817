-- Purpose: verdicts of one judge version on pages of given contents, whichever unit and question came first.
-- Inputs: frame wanted(picture_hash, text_hash), $judge_id.
-- Grain: one row per verdict.
SELECT v.* EXCLUDE (commit_id, made_at_utc)
FROM judging.verdict AS v
JOIN corpus.unit AS u ON u.unit_id = v.unit_id
JOIN (SELECT DISTINCT picture_hash, text_hash FROM wanted) AS w
  ON w.picture_hash = u.picture_hash AND w.text_hash = u.text_hash
WHERE v.judge_id = $judge_id
ORDER BY v.verdict_id
