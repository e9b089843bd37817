-- Purpose: pictures that an encoder was given and has no usable vector for.
-- Inputs: $encoder_id.
-- Grain: one row per picture, by picture hash.
SELECT picture_hash
FROM embeddings.refused_vector
WHERE encoder_id = $encoder_id
ORDER BY picture_hash
