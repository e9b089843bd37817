-- Random negatives of a corpus snapshot.
-- Input: $batch_id. Grain: one row per gold unit x arena x rank.
SELECT unit_id, arena, settings_id, rank, negative_unit_id
FROM negatives.random_negative
WHERE batch_id = $batch_id
ORDER BY arena, settings_id, unit_id, rank
