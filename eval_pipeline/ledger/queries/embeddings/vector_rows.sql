-- Purpose: where the vectors of the corpus of now lie.
-- Inputs: $encoder_id.
-- Grain: one row per unit in force that has a vector, by unit id; of several files the smallest id is read.
WITH place AS (
  SELECT picture_hash, min(vector_file_id) AS vector_file_id
  FROM embeddings.unit_vector
  WHERE encoder_id = $encoder_id
  GROUP BY picture_hash
)
SELECT unit.unit_id, unit.picture_hash, vector_file.path, unit_vector."row"
FROM corpus.unit_in_force AS unit
JOIN place ON place.picture_hash = unit.picture_hash
JOIN embeddings.unit_vector AS unit_vector
  ON unit_vector.picture_hash = place.picture_hash
  AND unit_vector.encoder_id = $encoder_id
  AND unit_vector.vector_file_id = place.vector_file_id
JOIN embeddings.vector_file AS vector_file ON vector_file.vector_file_id = place.vector_file_id
ORDER BY unit.unit_id
