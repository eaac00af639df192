-- The ways that drivers drove, leg by leg.

-- name: DrivenDay :one
-- In what a driver drives the route of a day, and the clock of a simulated day.
SELECT coalesce(vehicle_profile(t), 'CAR')::text AS profile, coalesce(v.pace, 0)::int AS pace, v.clock_from, v.clock_since
FROM plan_routes r
LEFT JOIN vehicles x ON x.org_id = r.org_id AND x.id = r.vehicle_id
LEFT JOIN vehicle_types t ON t.org_id = x.org_id AND t.id = x.vehicle_type_id
LEFT JOIN LATERAL (
    SELECT v.pace, v.clock_from, v.clock_since FROM sandbox_runs v
    WHERE v.org_id = r.org_id AND v.day = @day::date ORDER BY v.id DESC LIMIT 1
) v ON true
WHERE r.org_id = @org_id::bigint AND r.driver_id = @driver_id::bigint
  AND r.plan_id = route_of_day(@org_id::bigint, @driver_id::bigint, @day::date);

-- name: DrivenLegsDue :many
-- The legs of a day to match: those that are not matched, that have got more positions since, or
-- that are to be matched again by now. A leg with more positions has not failed yet.
SELECT w.from_at::timestamptz AS from_at, w.until_at::timestamptz AS until_at,
    CASE WHEN c.positions > l.positions THEN 0 ELSE coalesce(l.failures, 0) END::int AS failures
FROM driven_windows(@org_id::bigint, @driver_id::bigint, @day::date) w
LEFT JOIN driven_legs l ON l.org_id = @org_id AND l.driver_id = @driver_id AND l.day = @day::date
    AND l.from_at = w.from_at AND l.until_at = w.until_at
CROSS JOIN LATERAL (
    SELECT count(*)::int AS positions FROM driver_fixes(@org_id::bigint, @driver_id::bigint, w.from_at, w.until_at)
) c
WHERE l.driver_id IS NULL OR c.positions > l.positions OR l.again_at <= @now::timestamptz
ORDER BY w.from_at;

-- name: DrivenAgain :one
-- When the next leg of a day is matched again; the year 1 is never.
SELECT coalesce(min(l.again_at), '0001-01-01 00:00:00+00')::timestamptz AS at FROM driven_legs l
WHERE l.org_id = @org_id AND l.driver_id = @driver_id AND l.day = @day::date;

-- name: FixesOfLegs :many
-- Where a driver was on legs, in the order of time, at most so many positions of each.
SELECT w.leg::int AS leg, f.at::timestamptz AS at, f.latitude::float8 AS latitude, f.longitude::float8 AS longitude,
    coalesce(f.accuracy_meters, 0)::float8 AS accuracy
FROM (SELECT x.from_at, x.until_at, row_number() OVER (ORDER BY x.from_at) - 1 AS leg
    FROM (SELECT unnest(@froms::timestamptz[]) AS from_at, unnest(@untils::timestamptz[]) AS until_at) x) w
CROSS JOIN LATERAL (
    SELECT x.at, x.latitude, x.longitude, x.accuracy_meters
    FROM driver_fixes(@org_id::bigint, @driver_id::bigint, w.from_at, w.until_at) x (at, latitude, longitude, accuracy_meters)
    ORDER BY x.at LIMIT @at_most::int
) f
ORDER BY w.leg, f.at;

-- name: LockWhereabouts :exec
-- Lets positions of a driver and the legs that are made of them follow each other.
SELECT 1 FROM driver_whereabouts WHERE org_id = @org_id AND driver_id = @driver_id FOR NO KEY UPDATE;

-- name: SaveDrivenLegs :exec
-- Writes legs of a day. A leg with fewer positions does not replace one with more, and neither
-- does a failure one that is matched.
INSERT INTO driven_legs AS l (org_id, driver_id, day, from_at, until_at, positions, ways, meters, matched, confidence,
    failures, again_at)
SELECT @org_id, @driver_id, @day::date, x.from_at, x.until_at, x.positions, x.ways::jsonb, x.meters, x.matched,
    nullif(x.confidence, 'NaN'), x.failures, nullif(x.again_at, '0001-01-01 00:00:00+00')
FROM (SELECT unnest(@froms::timestamptz[]) AS from_at, unnest(@untils::timestamptz[]) AS until_at,
    unnest(@positions::int[]) AS positions, unnest(@ways::text[]) AS ways, unnest(@meters::bigint[]) AS meters,
    unnest(@matched::boolean[]) AS matched, unnest(@confidences::float8[]) AS confidence,
    unnest(@failures::int[]) AS failures, unnest(@next_matches::timestamptz[]) AS again_at) x
ORDER BY x.from_at
ON CONFLICT (org_id, driver_id, day, from_at) DO UPDATE SET until_at = excluded.until_at, positions = excluded.positions,
    ways = excluded.ways, meters = excluded.meters, matched = excluded.matched, confidence = excluded.confidence,
    failures = excluded.failures, again_at = excluded.again_at, matched_at = now()
WHERE excluded.until_at <> l.until_at OR excluded.positions > l.positions
   OR excluded.positions = l.positions AND (excluded.failures = 0 OR l.failures > 0);

-- name: DropDrivenLegs :exec
-- Deletes the legs of a day that are none any more, as a stop was undone.
DELETE FROM driven_legs l
WHERE l.org_id = @org_id AND l.driver_id = @driver_id AND l.day = @day::date AND NOT EXISTS (
    SELECT FROM driven_windows(@org_id::bigint, @driver_id::bigint, @day::date) w
    WHERE w.from_at = l.from_at AND w.until_at = l.until_at);

-- name: LogLatePositions :exec
-- Appends an event for each day of whose legs positions come when nobody may look at it for a
-- while: late ones, and those of a day that is over.
INSERT INTO events (org_id, kind, subject_type, subject_id, driver_id, occurred_at)
SELECT DISTINCT ON (l.day) @org_id::bigint, 'driver.positions_late', 'driver', @driver_id::bigint, @driver_id::bigint, l.until_at
FROM driven_legs l
LEFT JOIN driver_days y ON y.org_id = l.org_id AND y.driver_id = l.driver_id AND y.day = l.day
WHERE l.org_id = @org_id AND l.driver_id = @driver_id AND l.until_at >= @first::timestamptz AND l.from_at <= @last::timestamptz
  AND (@first::timestamptz < @late::timestamptz OR y.ended_at IS NOT NULL)
ORDER BY l.day, l.until_at DESC;

-- name: DrivenWaysOfRoutes :many
-- The ways driven on routes, in the order of time. The routes are pairs of a plan and a driver.
SELECT p.id::bigint AS plan_id, l.driver_id, l.ways
FROM (SELECT unnest(@plan_ids::bigint[]) AS plan_id, unnest(@driver_ids::bigint[]) AS driver_id) r
JOIN plans p ON p.org_id = @org_id AND p.id = r.plan_id
JOIN driven_legs l ON l.org_id = p.org_id AND l.driver_id = r.driver_id AND l.day = p.day
WHERE route_of_day(p.org_id, r.driver_id, p.day) = p.id
ORDER BY p.id, l.driver_id, l.from_at;
