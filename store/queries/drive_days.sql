-- Days on the road, as a workflow watches them.

-- name: DriveDaysOfEvents :many
-- The days on the road that events are news of, of all organizations.
SELECT org_id::bigint AS org_id, driver_id::bigint AS driver_id, day::date AS day
FROM drive_days_of_events(@orgs::bigint[], @events::bigint[], @times::timestamptz[]);

-- name: DriveDay :one
-- A driver's day without its stops. On a simulated day, drivers may be late only if it
-- has incidents.
SELECT d.approaching_minutes::int AS approaching_minutes, d.until::timestamptz AS until, d.break_starts_at::timestamptz AS break_starts_at,
    d.break_ends_at::timestamptz AS break_ends_at, d.heard_at::timestamptz AS heard_at, d.ended_at::timestamptz AS ended_at, d.simulated::boolean AS simulated,
    (d.simulated AND coalesce((
        SELECT v.clock_from IS NOT NULL AND v.trouble <> 'NONE' FROM sandbox_runs v
        WHERE v.org_id = @org_id AND v.day = @day::date ORDER BY v.id DESC LIMIT 1
    ), false))::boolean AS troubled
FROM drive_day(@org_id::bigint, @driver_id::bigint, @day::date) d;

-- name: StopsOfDriveDay :many
-- The route of a driver's day, with the progress of its stops, their ETAs, how late they may
-- be, and whether the approach was announced. Each row is looked up by its key: with a join,
-- a planner without statistics of the organization reads its whole day.
SELECT p.order_id, p.kind, o.number, o.status_id, coalesce(e.eta, p.eta)::timestamptz AS eta, p.starts_at, p.leaves_at,
    greatest(s.latest, CASE p.kind WHEN 'pickup' THEN k.pickup_until ELSE k.delivery_until END)::timestamptz AS latest,
    CASE WHEN s.cancelled_at IS NOT NULL THEN 'failed' WHEN p.kind = 'pickup' THEN coalesce(g.pickup_status, 'pending')
        ELSE coalesce(g.delivery_status, 'pending') END::text AS status,
    coalesce(CASE p.kind WHEN 'pickup' THEN g.pickup_arrived_at ELSE g.delivery_arrived_at END, '0001-01-01 00:00:00+00')::timestamptz
        AS arrived_at,
    (x.order_id IS NOT NULL)::boolean AS told
FROM (SELECT route_of_day(@org_id::bigint, @driver_id::bigint, @day::date) AS plan_id) t
JOIN plan_stops p ON p.org_id = @org_id AND p.plan_id = t.plan_id AND p.driver_id = @driver_id
CROSS JOIN LATERAL (
    SELECT o.number, o.status_id FROM orders o WHERE o.org_id = p.org_id AND o.id = p.order_id OFFSET 0
) o
CROSS JOIN LATERAL (
    SELECT s.latest, s.cancelled_at FROM order_stops s
    WHERE s.org_id = p.org_id AND s.order_id = p.order_id AND s.kind = p.kind OFFSET 0
) s
LEFT JOIN LATERAL (
    SELECT k.pickup_until, k.delivery_until FROM order_driver_locks k
    WHERE k.org_id = p.org_id AND k.order_id = p.order_id OFFSET 0
) k ON true
LEFT JOIN LATERAL (
    SELECT g.pickup_status, g.delivery_status, g.pickup_arrived_at, g.delivery_arrived_at FROM order_progress g
    WHERE g.org_id = p.org_id AND g.order_id = p.order_id OFFSET 0
) g ON true
LEFT JOIN LATERAL (
    SELECT e.eta FROM live_etas e
    WHERE e.org_id = p.org_id AND e.order_id = p.order_id AND e.kind = p.kind AND e.driver_id = p.driver_id OFFSET 0
) e ON true
LEFT JOIN LATERAL (
    SELECT x.order_id FROM stop_approaches x
    WHERE x.org_id = p.org_id AND x.order_id = p.order_id AND x.kind = p.kind AND x.day = @day::date OFFSET 0
) x ON true
ORDER BY p.seq;

-- name: ExceptionsOfDriveDay :many
-- The exceptions of a driver's day that are open or were dismissed.
SELECT id, kind, coalesce(order_id, 0)::bigint AS order_id, coalesce(stop, '')::text AS stop, at,
    (resolved_at IS NULL)::boolean AS open
FROM exceptions
WHERE org_id = @org_id AND driver_id = @driver_id AND day = @day::date AND kind IN ('LATE_STOP', 'SILENT_DRIVER')
  AND (resolution IS NULL OR resolution = 'DISMISSED')
ORDER BY id;

-- name: TellApproaching :exec
-- Announces that a driver is near stops, once a day each. Locks the orders, so
-- that no event comes in between.
WITH told AS (
    INSERT INTO stop_approaches (org_id, order_id, kind, day, driver_id)
    SELECT @org_id, x.order_id, x.kind, @day::date, @driver_id
    FROM (SELECT unnest(@order_ids::bigint[]) AS order_id, unnest(@kinds::text[]) AS kind) x
    ORDER BY x.order_id, x.kind
    ON CONFLICT DO NOTHING
    RETURNING order_id, kind
), held AS MATERIALIZED (
    SELECT o.id, o.number, o.status_id FROM orders o
    WHERE o.org_id = @org_id AND o.id IN (SELECT t.order_id FROM told t)
    ORDER BY o.id FOR SHARE
)
INSERT INTO events (org_id, kind, subject_type, subject_id, order_id, external_id, order_status_id, driver_id, stop, product_ids,
    data, occurred_at)
SELECT @org_id, 'stop.approaching', 'order', o.id, o.id, o.number, o.status_id, @driver_id::bigint, t.kind, '{}'::bigint[],
    jsonb_build_object('eta', iso_utc(x.eta)), clock_timestamp()
FROM (SELECT unnest(@order_ids::bigint[]) AS order_id, unnest(@kinds::text[]) AS kind, unnest(@etas::timestamptz[]) AS eta) x
JOIN told t ON t.order_id = x.order_id AND t.kind = x.kind
JOIN held o ON o.id = x.order_id
ORDER BY x.eta, o.id, t.kind;
