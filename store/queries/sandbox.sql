-- name: LockSandbox :one
-- Whether the organization is a sandbox, and its day now. Starting a run locks
-- the row.
SELECT o.sandbox, (x.at AT TIME ZONE o.timezone)::date AS today
FROM organizations o CROSS JOIN (SELECT @now::timestamptz AS at) x WHERE o.id = @org_id FOR NO KEY UPDATE OF o;

-- name: IsSandbox :one
SELECT sandbox FROM organizations WHERE id = @org_id;

-- name: HasPhones :one
-- Whether drivers' phones are connected, or have ever sent anything.
SELECT (EXISTS (SELECT FROM sessions s WHERE s.org_id = @org_id AND s.kind = 'device' AND s.ended_at IS NULL)
    OR EXISTS (SELECT FROM driver_actions a WHERE a.org_id = @org_id AND a.device_id IS NOT NULL))::boolean AS has;

-- name: FirstDayToDrive :one
-- The first day from a given one on with an unfinished order that has a driver,
-- or else with one that waits for its plan.
SELECT o.date FROM orders o
WHERE o.org_id = @org_id AND o.date >= @since::date AND o.status_id <= 5
  AND NOT EXISTS (SELECT FROM plan_unplanned u WHERE u.org_id = o.org_id AND u.order_id = o.id)
ORDER BY o.status_id > 1 DESC, o.date LIMIT 1;

-- name: AddSandboxRun :one
INSERT INTO sandbox_runs (org_id, day, pace, incidents, trouble, realistic, state, started_at)
VALUES (@org_id, @day, @pace, @incidents, @trouble, @realistic, 'RUNNING', @started_at)
RETURNING id;

-- name: RunningSandboxRun :one
SELECT v.id, v.day, v.pace, v.incidents, v.trouble, v.realistic, v.state, v.started_at, v.ended_at, v.clock_from, v.clock_since, o.timezone
FROM sandbox_runs v JOIN organizations o ON o.id = v.org_id
WHERE v.org_id = @org_id AND v.state = 'RUNNING';

-- name: SandboxRun :one
SELECT v.id, v.day, v.pace, v.incidents, v.trouble, v.realistic, v.state, v.started_at, v.ended_at, v.clock_from, v.clock_since, o.timezone
FROM sandbox_runs v JOIN organizations o ON o.id = v.org_id
WHERE v.org_id = @org_id AND v.id = @id;

-- name: LastSandboxRun :one
-- The last run of a day, or of all days when it is null.
SELECT v.id, v.day, v.pace, v.incidents, v.trouble, v.realistic, v.state, v.started_at, v.ended_at, v.clock_from, v.clock_since, o.timezone
FROM sandbox_runs v JOIN organizations o ON o.id = v.org_id
WHERE v.org_id = @org_id AND (v.day = sqlc.narg('day')::date OR sqlc.narg('day')::date IS NULL)
ORDER BY v.id DESC LIMIT 1;

-- name: EndSandboxRun :execrows
UPDATE sandbox_runs SET state = @state, ended_at = @ended_at
WHERE org_id = @org_id AND id = @id AND state = 'RUNNING';

-- name: StartSandboxClock :exec
-- Starts the clock of a run, once, at the planned start of its day's first
-- route.
UPDATE sandbox_runs v SET clock_from = x.starts_at, clock_since = @since
FROM (
    SELECT min(r.starts_at) AS starts_at FROM plan_routes r JOIN plans p ON p.org_id = r.org_id AND p.id = r.plan_id
    WHERE r.org_id = @org_id AND p.day = @day::date
) x
WHERE v.org_id = @org_id AND v.id = @id AND v.state = 'RUNNING' AND v.clock_from IS NULL AND x.starts_at IS NOT NULL;

-- name: SandboxDay :one
-- The progress of a day's orders. Waiting orders have no plan yet, and no
-- reason why not.
SELECT count(*)::int AS total, count(*) FILTER (WHERE o.status_id = 6)::int AS delivered,
    count(*) FILTER (WHERE o.status_id = 7)::int AS failed, count(*) FILTER (WHERE o.status_id BETWEEN 3 AND 5)::int AS under_way,
    count(*) FILTER (WHERE o.status_id = 2)::int AS planned,
    count(*) FILTER (WHERE o.status_id = 1 AND (u.order_id IS NOT NULL OR e.order_id IS NOT NULL))::int AS left_over,
    count(*) FILTER (WHERE o.status_id = 1 AND u.order_id IS NULL AND e.order_id IS NULL)::int AS waiting
FROM orders o
LEFT JOIN plan_unplanned u ON u.org_id = o.org_id AND u.order_id = o.id
LEFT JOIN order_exports e ON e.org_id = o.org_id AND e.order_id = o.id AND e.exported_version > 0
WHERE o.org_id = @org_id AND o.date = @day::date AND o.status_id <> 8;

-- name: SimulatedDrivers :many
-- The drivers of a simulated day, by the start of their routes, and what they have
-- done since it was started. Drivers with a phone are not simulated.
SELECT d.id, coalesce(a.last_at, 'epoch')::timestamptz AS last_at, a.starts, a.ends, a.rejected,
    coalesce(w.latitude, 'NaN')::float8 AS latitude, coalesce(w.longitude, 'NaN')::float8 AS longitude,
    coalesce(w.at, 'epoch')::timestamptz AS at, coalesce(r.starts_at, 'epoch')::timestamptz AS sets_out
FROM drivers d
LEFT JOIN LATERAL (
    SELECT min(r.starts_at) AS starts_at FROM plan_routes r JOIN plans p ON p.org_id = r.org_id AND p.id = r.plan_id
    WHERE r.org_id = d.org_id AND r.driver_id = d.id AND p.day = @day::date
) r ON true
CROSS JOIN LATERAL (
    SELECT max(x.occurred_at) AS last_at, count(*) FILTER (WHERE x.type = 'START_ROUTE')::int AS starts,
        count(*) FILTER (WHERE x.type = 'END_ROUTE')::int AS ends,
        count(*) FILTER (WHERE x.outcome = 'REJECTED')::int AS rejected
    FROM driver_actions x
    WHERE x.org_id = d.org_id AND x.driver_id = d.id AND x.occurred_at >= @since::timestamptz AND x.device_id IS NULL
) a
LEFT JOIN driver_whereabouts w ON w.org_id = d.org_id AND w.driver_id = d.id
WHERE d.org_id = @org_id AND (r.starts_at IS NOT NULL OR a.starts > a.ends)
  AND NOT EXISTS (SELECT FROM sessions s WHERE s.org_id = d.org_id AND s.driver_id = d.id AND s.kind = 'device'
      AND s.ended_at IS NULL AND s.expires_at > now())
ORDER BY r.starts_at NULLS LAST, d.id;

-- name: SimulatedStops :many
-- The open stops of a day's routes, in sequence. After a visited stop, the way is the
-- drive and the break: the plan does not know when the driver left that stop.
WITH ways AS MATERIALIZED (
    SELECT l.id AS plan_id, w.driver_id::bigint AS driver_id, w.seq::int AS seq, w.polyline::text AS polyline, w.seconds::int AS seconds
    FROM plans l CROSS JOIN LATERAL ways_of_plan(l.org_id, l.id, NULL) w
    WHERE l.org_id = @org_id AND l.day = @day::date AND w.seconds IS NOT NULL
)
SELECT p.driver_id, s.id, p.kind, o.number, o.created_at, p.latitude, p.longitude, p.driving_seconds,
    greatest(extract(epoch FROM p.leaves_at - p.starts_at), 0)::int AS service_seconds, p.setup_seconds, x.arrived::boolean AS arrived,
    coalesce(c.name, '')::text AS contact, s.earliest, i.product_ids::bigint[] AS product_ids, i.quantities::float8[] AS quantities,
    CASE WHEN b.pending THEN extract(epoch FROM p.arrives_at - b.leaves_at) ELSE p.driving_seconds + h.seconds END::int AS way_seconds,
    coalesce(w.polyline, '')::text AS polyline, coalesce(w.seconds, 0)::int AS base_seconds, p.joined,
    (s.estimated_time_on_location IS NOT NULL)::boolean AS own_time
FROM plans l
JOIN plan_stops p ON p.org_id = l.org_id AND p.plan_id = l.id
JOIN orders o ON o.org_id = p.org_id AND o.id = p.order_id AND o.status_id <= 5
JOIN order_stops s ON s.org_id = p.org_id AND s.order_id = p.order_id AND s.kind = p.kind AND s.cancelled_at IS NULL
LEFT JOIN order_progress g ON g.org_id = p.org_id AND g.order_id = p.order_id
CROSS JOIN LATERAL (
    SELECT CASE p.kind WHEN 'pickup' THEN g.pickup_status ELSE g.delivery_status END AS status
) k
CROSS JOIN LATERAL (SELECT coalesce(k.status, 'pending') = 'arrived' AS arrived) x
LEFT JOIN LATERAL (
    SELECT concat_ws(' ', c.first_name, c.last_name) AS name FROM stop_contacts c
    WHERE c.org_id = s.org_id AND c.stop_id = s.id ORDER BY c.seq LIMIT 1
) c ON true
CROSS JOIN LATERAL (
    SELECT coalesce(array_agg(i.id ORDER BY i.seq, i.id), '{}') AS product_ids,
        coalesce(array_agg(i.quantity ORDER BY i.seq, i.id), '{}') AS quantities
    FROM order_products i WHERE i.org_id = p.org_id AND i.order_id = p.order_id AND p.kind = 'delivery'
) i
LEFT JOIN LATERAL (
    SELECT b.leaves_at, coalesce(CASE b.kind WHEN 'pickup' THEN y.pickup_status ELSE y.delivery_status END, 'pending') = 'pending' AS pending
    FROM plan_stops b LEFT JOIN order_progress y ON y.org_id = b.org_id AND y.order_id = b.order_id
    WHERE b.org_id = p.org_id AND b.plan_id = p.plan_id AND b.driver_id = p.driver_id AND b.seq < p.seq
    ORDER BY b.seq DESC LIMIT 1
) b ON true
CROSS JOIN LATERAL (
    SELECT coalesce(sum(extract(epoch FROM r.break_ends_at - r.break_starts_at)), 0) AS seconds FROM plan_routes r
    WHERE r.org_id = p.org_id AND r.plan_id = p.plan_id AND r.driver_id = p.driver_id
      AND r.break_starts_at >= coalesce(b.leaves_at, r.starts_at) AND r.break_starts_at < p.arrives_at
) h
LEFT JOIN ways w ON w.plan_id = p.plan_id AND w.driver_id = p.driver_id AND w.seq = p.seq
WHERE l.org_id = @org_id AND l.day = @day::date AND coalesce(k.status, 'pending') IN ('pending', 'arrived')
ORDER BY p.driver_id, p.seq;
