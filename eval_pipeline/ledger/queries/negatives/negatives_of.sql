-- Hard negatives of given pools.
-- Input: frame wanted(pool_id). Grain: one row per pool x axis x rank.
SELECT n.pool_id, n.unit_id, n.axis, n.rank, n.negative_unit_id, n.similarity
FROM negatives.negative AS n
JOIN (SELECT DISTINCT pool_id FROM wanted) AS w ON w.pool_id = n.pool_id
ORDER BY n.pool_id, n.axis, n.rank
