-- Purpose: pictures of units in force for which an encoder has neither a vector nor a refusal.
-- Inputs: $encoder_id; $buckets, list of bucket names.
-- Grain: one row per picture, by picture hash; where several files hold it, the smallest path and the first bucket.
SELECT unit.picture_hash, min(unit.picture_path) AS picture_path, min(unit.bucket) AS bucket
FROM corpus.unit_in_force AS unit
WHERE list_contains($buckets::VARCHAR[], unit.bucket)
  AND NOT EXISTS (
    FROM embeddings.unit_vector AS made
    WHERE made.picture_hash = unit.picture_hash AND made.encoder_id = $encoder_id
  )
  AND NOT EXISTS (
    FROM embeddings.refused_vector AS refused
    WHERE refused.picture_hash = unit.picture_hash AND refused.encoder_id = $encoder_id
  )
GROUP BY unit.picture_hash
ORDER BY unit.picture_hash
