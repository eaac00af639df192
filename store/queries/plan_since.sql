-- What has happened to a day since a moment, for somebody who looks at its plan again.

-- name: ChangesSince :many
-- What others than one person did to the orders and plans of a day since a moment, the newest
-- first. Drivers and times of an order are compared as a whole: between, it may have been
-- elsewhere. The one who moved it is the one who gave it to the driver who has it. Events that have
-- no position yet are few, and looked for apart.
WITH ours AS MATERIALIZED (
    SELECT o.id, o.number FROM orders o WHERE o.org_id = @org_id AND o.date = @day::date
), fresh AS MATERIALIZED (
    SELECT e.id, e.subject_type, e.subject_id, e.kind, e.actor, e.recorded_at, e.driver_id, e.data FROM events e
    WHERE e.org_id = @org_id AND e.position IS NULL AND e.recorded_at >= @since::timestamptz
), happened AS MATERIALIZED (
    SELECT o.number, e.id, e.subject_id, e.kind, e.actor, e.recorded_at, e.driver_id, e.data FROM ours o CROSS JOIN LATERAL (
        SELECT x.id, x.subject_id, x.kind, x.actor, x.recorded_at, x.driver_id, x.data FROM events x
        WHERE x.org_id = @org_id AND x.subject_type = 'order' AND x.subject_id = o.id AND x.position IS NOT NULL
          AND x.recorded_at >= @since::timestamptz AND x.kind = ANY (@kinds::text[])
        ORDER BY x.id DESC LIMIT @looks::int
    ) e
    UNION ALL
    SELECT o.number, f.id, f.subject_id, f.kind, f.actor, f.recorded_at, f.driver_id, f.data
    FROM fresh f JOIN ours o ON o.id = f.subject_id WHERE f.subject_type = 'order' AND f.kind = ANY (@kinds::text[])
), steps AS (
    SELECT h.subject_id, h.number, h.id, h.kind, h.actor, h.recorded_at, h.driver_id, h.data,
        first_value(h.kind) OVER latest AS last_kind, first_value(h.driver_id) OVER latest AS last_driver_id
    FROM happened h WHERE h.kind IN ('order.planned', 'order.unplanned')
    WINDOW latest AS (PARTITION BY h.subject_id ORDER BY h.id DESC)
), given AS (
    -- Planning may move times of an order after somebody gave it to its driver.
    SELECT s.*, coalesce(max(s.id) FILTER (WHERE (s.kind, s.driver_id) IS DISTINCT FROM (s.last_kind, s.last_driver_id))
        OVER (PARTITION BY s.subject_id), 0) AS elsewhere_id
    FROM steps s
), placed AS (
    SELECT g.subject_id, min(g.number) AS number, min(g.id) AS first_id, max(g.id) AS id, g.last_kind AS kind, g.last_driver_id AS driver_id,
        (array_agg(g.data ORDER BY g.id DESC))[1] AS data,
        (array_agg(g.actor ORDER BY g.id DESC))[1] AS actor, (array_agg(g.recorded_at ORDER BY g.id DESC))[1] AS recorded_at,
        (array_agg(g.actor ORDER BY g.id) FILTER (WHERE g.id > g.elsewhere_id))[1] AS giver,
        (array_agg(g.recorded_at ORDER BY g.id) FILTER (WHERE g.id > g.elsewhere_id))[1] AS given_at
    FROM given g GROUP BY g.subject_id, g.last_kind, g.last_driver_id
), moved AS (
    SELECT p.id, p.subject_id, p.number, p.actor, p.recorded_at, p.giver, p.given_at, w.driver_id AS from_driver_id,
        CASE WHEN p.kind = 'order.planned' THEN p.driver_id END AS to_driver_id,
        (w.data ->> 'delivery')::timestamptz AS from_time,
        CASE WHEN p.kind = 'order.planned' THEN (p.data ->> 'delivery')::timestamptz END AS to_time
    FROM placed p LEFT JOIN LATERAL (
        SELECT CASE WHEN x.kind = 'order.planned' THEN x.driver_id END AS driver_id,
            CASE WHEN x.kind = 'order.planned' THEN x.data END AS data
        FROM (
            (SELECT e.id, e.kind, e.driver_id, e.data FROM events e
            WHERE e.org_id = @org_id AND e.subject_type = 'order' AND e.subject_id = p.subject_id AND e.position IS NOT NULL
              AND e.id < p.first_id AND e.kind IN ('order.planned', 'order.unplanned')
            ORDER BY e.id DESC LIMIT 1)
            UNION ALL
            (SELECT e.id, e.kind, e.driver_id, e.data FROM events e
            WHERE e.org_id = @org_id AND e.subject_type = 'order' AND e.subject_id = p.subject_id AND e.position IS NULL
              AND e.id < p.first_id AND e.kind IN ('order.planned', 'order.unplanned')
            ORDER BY e.id DESC LIMIT 1)
        ) x
        ORDER BY x.id DESC LIMIT 1
    ) w ON true
), differing AS (
    SELECT h.subject_id, jsonb_agg(h.data -> 'differences' ORDER BY h.id) AS differences
    FROM happened h WHERE h.kind = 'order.updated' AND h.data ? 'differences' GROUP BY h.subject_id
), all_changes AS (
    SELECT m.id, CASE WHEN m.from_driver_id IS DISTINCT FROM m.to_driver_id THEN m.given_at ELSE m.recorded_at END AS at, CASE
            WHEN m.from_driver_id IS NULL THEN 'PLANNED' WHEN m.to_driver_id IS NULL THEN 'UNPLANNED'
            WHEN m.from_driver_id <> m.to_driver_id THEN 'MOVED' ELSE 'RETIMED' END AS kind,
        CASE WHEN m.from_driver_id IS DISTINCT FROM m.to_driver_id THEN m.giver ELSE m.actor END AS actor, m.subject_id AS order_id, m.number, m.from_driver_id, m.to_driver_id, m.from_time, m.to_time, NULL::text AS exception
    FROM moved m
    WHERE m.from_driver_id IS DISTINCT FROM m.to_driver_id
        OR abs(extract(epoch FROM m.to_time - m.from_time)) >= @least_seconds::int
    UNION ALL
    (
        SELECT DISTINCT ON (h.subject_id, h.kind) h.id, h.recorded_at, CASE h.kind
                WHEN 'order.created' THEN 'NEW' WHEN 'order.updated' THEN 'CHANGED' WHEN 'order.cancelled' THEN 'CANCELLED'
                WHEN 'order.reactivated' THEN 'REACTIVATED' WHEN 'order.failed' THEN 'FAILED' ELSE 'DELIVERED' END,
            h.actor, h.subject_id, h.number, NULL::bigint, h.driver_id, NULL::timestamptz, NULL::timestamptz, NULL::text
        FROM happened h WHERE h.kind NOT IN ('order.planned', 'order.unplanned') ORDER BY h.subject_id, h.kind, h.id DESC
    )
    UNION ALL
    SELECT x.id, x.opened_at, 'EXCEPTION', 'system', x.order_id, o.number, NULL, x.driver_id, NULL, NULL, x.kind
    FROM exceptions x LEFT JOIN orders o ON o.org_id = x.org_id AND o.id = x.order_id
    WHERE x.org_id = @org_id AND x.day = @day::date AND x.opened_at >= @since::timestamptz
    UNION ALL
    SELECT e.id, e.recorded_at, CASE e.kind WHEN 'plan.route_held' THEN 'HELD' WHEN 'plan.route_released' THEN 'RELEASED'
            ELSE 'PLAN_RELEASED' END, e.actor, NULL, NULL, NULL, (e.data ->> 'driver_id')::bigint, NULL, NULL, NULL
    FROM plans p CROSS JOIN LATERAL (
        SELECT x.id, x.kind, x.actor, x.recorded_at, x.data FROM events x
        WHERE x.org_id = @org_id AND x.subject_type = 'plan' AND x.subject_id = p.id AND x.position IS NOT NULL
          AND x.recorded_at >= @since::timestamptz AND x.kind IN ('plan.route_held', 'plan.route_released', 'plan.released')
        UNION ALL
        SELECT f.id, f.kind, f.actor, f.recorded_at, f.data FROM fresh f
        WHERE f.subject_type = 'plan' AND f.subject_id = p.id AND f.kind IN ('plan.route_held', 'plan.route_released', 'plan.released')
    ) e
    WHERE p.org_id = @org_id AND p.day = @day::date
)
SELECT c.at::timestamptz AS at, c.kind::text AS kind, c.actor::text AS actor,
    coalesce(name_of_actor(@org_id::bigint, c.actor), '')::text AS actor_name,
    coalesce(c.order_id, 0)::bigint AS order_id, coalesce(c.number, '')::text AS number,
    coalesce(c.from_driver_id, 0)::bigint AS from_driver_id, coalesce(f.name, '')::text AS from_driver_name,
    coalesce(c.to_driver_id, 0)::bigint AS to_driver_id, coalesce(t.name, '')::text AS to_driver_name,
    coalesce(c.from_time, '0001-01-01 00:00:00+00')::timestamptz AS from_time,
    coalesce(c.to_time, '0001-01-01 00:00:00+00')::timestamptz AS to_time, coalesce(c.exception, '')::text AS exception,
    coalesce(d.differences, '[]')::jsonb AS differences
FROM all_changes c
LEFT JOIN differing d ON d.subject_id = c.order_id AND c.kind = 'CHANGED'
LEFT JOIN drivers f ON f.org_id = @org_id AND f.id = c.from_driver_id
LEFT JOIN drivers t ON t.org_id = @org_id AND t.id = c.to_driver_id
WHERE c.actor <> @except_actor::text
ORDER BY c.at DESC, c.kind, c.order_id, c.id DESC
LIMIT @most::int;
