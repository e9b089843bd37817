-- Missing places of given pools, with the reason.
-- Input: frame wanted(pool_id). Grain: one row per pool x axis.
SELECT s.pool_id, s.unit_id, s.axis, s.n_wanted, s.n_found, s.reason
FROM negatives.shortfall AS s
JOIN (SELECT DISTINCT pool_id FROM wanted) AS w ON w.pool_id = s.pool_id
ORDER BY s.pool_id, s.axis
