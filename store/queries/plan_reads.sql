-- name: PlansOfDay :many
-- The plans of a day in numbers, by department, that of no department first. With
-- a department that is not null only its plan; 0 is that of no department.
SELECT p.id, p.department_id, d.name AS department_name, p.version, p.planned_at, p.updated_at, p.searched_ms,
    p.travel, p.travel_failure, p.travel_failure_code, p.guessed_legs, p.left_out, p.released_at,
    coalesce(name_of_actor(p.org_id, p.released_by), p.released_by) AS released_by, p.released_changes,
    coalesce(d.release_minute, -1)::smallint AS release_minute, coalesce(d.release_days_before, 0)::smallint AS release_days_before,
    coalesce(d.release_threshold_minutes, 10)::smallint AS release_threshold_minutes, z.timezone, r.drivers, r.driving_seconds, r.waiting_seconds, r.meters,
    (SELECT count(*) FROM plan_stops s WHERE s.org_id = p.org_id AND s.plan_id = p.id AND s.kind = 'delivery') AS orders,
    (SELECT count(*) FROM plan_unplanned u WHERE u.org_id = p.org_id AND u.plan_id = p.id) AS unplanned
FROM plans p
JOIN organizations z ON z.id = p.org_id
LEFT JOIN departments d ON d.org_id = p.org_id AND d.id = p.department_id
CROSS JOIN LATERAL (
    SELECT count(*) AS drivers, coalesce(sum(x.driving_seconds), 0)::bigint AS driving_seconds,
        coalesce(sum(x.waiting_seconds), 0)::bigint AS waiting_seconds, coalesce(sum(x.meters), 0)::bigint AS meters
    FROM plan_routes x WHERE x.org_id = p.org_id AND x.plan_id = p.id
) r
WHERE p.org_id = @org_id AND p.day = @day::date
  AND (sqlc.narg('department_id')::bigint IS NULL OR coalesce(p.department_id, 0) = sqlc.narg('department_id')::bigint)
ORDER BY p.department_id NULLS FIRST;

-- name: PageRoutes :many
-- Routes of plans behind a place, each with its stops in their sequence.
SELECT r.plan_id, r.driver_id, d.name AS driver_name, r.co_driver_id, c.name AS co_driver_name, r.shares_driving, r.vehicle_id, v.registration, v.vehicle_type_id,
    t.name AS vehicle_type_name, r.starts_at, r.ends_at, r.driving_seconds, r.waiting_seconds, r.meters,
    r.weight_kg::double precision AS weight_kg, r.volume_m3::double precision AS volume_m3,
    coalesce(v.max_weight_kg, t.max_weight_kg, 'NaN')::double precision AS max_weight_kg,
    coalesce(v.max_volume_m3, t.max_volume_m3, 'NaN')::double precision AS max_volume_m3,
    r.break_starts_at, r.break_ends_at, breaks_document(r.org_id, r.breaks)::jsonb AS breaks, r.load_amounts, r.driving_left_seconds, r.costs,
    (SELECT coalesce(jsonb_agg(jsonb_build_object(
            'sequence', p.seq, 'orderId', p.order_id, 'externalId', o.number, 'orderStatusId', o.status_id,
            'stop', upper(p.kind), 'name', s.name, 'city', s.city, 'postalCode', s.postal_code, 'country', s.country,
            'customer', c.business_name, 'arrivedAt', iso_utc(CASE p.kind WHEN 'pickup' THEN g.pickup_arrived_at ELSE g.delivery_arrived_at END),
            'endedAt', iso_utc(CASE p.kind WHEN 'pickup' THEN g.pickup_ended_at ELSE g.delivery_ended_at END), 'latitude', p.latitude, 'longitude', p.longitude,
            'position', stop_position(s), 'positionGuessed', p.guessed, 'metersFromRoad', p.meters_from_road, 'earliest', iso_utc(s.earliest), 'latest', iso_utc(s.latest),
            'arrivesAt', iso_utc(p.arrives_at), 'startsAt', iso_utc(p.starts_at), 'leavesAt', iso_utc(p.leaves_at), 'eta', iso_utc(coalesce(v.eta, p.eta)),
            'slackSeconds', p.slack_seconds, 'drivingSeconds', p.driving_seconds, 'setupSeconds', p.setup_seconds, 'sameVisit', p.joined, 'curbside', p.curbside, 'meters', p.meters,
            'locked', l.order_id IS NOT NULL,
            'lock', CASE WHEN l.order_id IS NOT NULL THEN order_lock_document(l.org_id, l.order_id) END) ORDER BY p.seq), '[]')
        FROM plan_stops p
        JOIN orders o ON o.org_id = p.org_id AND o.id = p.order_id
        JOIN customers c ON c.org_id = o.org_id AND c.id = o.customer_id
        JOIN order_stops s ON s.org_id = p.org_id AND s.order_id = p.order_id AND s.kind = p.kind
        LEFT JOIN order_progress g ON g.org_id = p.org_id AND g.order_id = p.order_id
        LEFT JOIN live_etas v ON v.org_id = p.org_id AND v.order_id = p.order_id AND v.kind = p.kind AND v.driver_id = p.driver_id
        LEFT JOIN order_driver_locks l ON l.org_id = p.org_id AND l.order_id = p.order_id
        WHERE p.org_id = r.org_id AND p.plan_id = r.plan_id AND p.driver_id = r.driver_id)::jsonb AS stops
FROM plan_routes r
JOIN drivers d ON d.org_id = r.org_id AND d.id = r.driver_id
LEFT JOIN drivers c ON c.org_id = r.org_id AND c.id = r.co_driver_id
LEFT JOIN vehicles v ON v.org_id = r.org_id AND v.id = r.vehicle_id
LEFT JOIN vehicle_types t ON t.org_id = v.org_id AND t.id = v.vehicle_type_id
WHERE r.org_id = @org_id AND r.plan_id = ANY (@plan_ids::bigint[])
  AND (r.plan_id, r.driver_id) > (@after_plan::bigint, @after_driver::bigint)
ORDER BY r.plan_id, r.driver_id
LIMIT @page_size::int;

-- name: PageDriversOfDay :many
-- Drivers after one, with the entry for a day, or else their rules.
SELECT d.id, d.name, d.department_id, v.registration, t.name AS vehicle_type_name,
    (w.date IS NOT NULL)::boolean AS is_said, coalesce(w.works, false)::boolean AS works,
    coalesce(w.starts, 0)::smallint AS starts, coalesce(w.ends, 0)::smallint AS ends,
    (SELECT jsonb_agg(jsonb_build_object('rrule', r.rrule, 'starts', r.starts, 'ends', r.ends) ORDER BY r.seq)
     FROM driver_workday_rules r WHERE r.org_id = d.org_id AND r.driver_id = d.id)::jsonb AS rules,
    coalesce(m.driver_id, 0)::bigint AS rides_with_id, coalesce(m.starts, 0)::smallint AS rides_from,
    coalesce(m.ends, 0)::smallint AS rides_until, coalesce(m.begun, false)::boolean AS rider_has_begun,
    coalesce((SELECT y.calendar_id FROM departments y WHERE y.org_id = d.org_id AND y.id = d.department_id), 0)::bigint AS calendar_id
FROM drivers d
LEFT JOIN driver_workdays w ON w.org_id = d.org_id AND w.driver_id = d.id AND w.date = @day::date
LEFT JOIN vehicles v ON v.org_id = d.org_id AND v.id = coalesce(w.vehicle_id, d.vehicle_id) AND v.is_active
LEFT JOIN vehicle_types t ON t.org_id = v.org_id AND t.id = v.vehicle_type_id
LEFT JOIN LATERAL (SELECT x.driver_id, x.starts, x.ends, begun_route(@org_id, d.id, @day::date) IS NOT NULL AS begun
    FROM driver_workdays x JOIN drivers y ON y.org_id = x.org_id AND y.id = x.driver_id AND y.is_active
    WHERE x.org_id = @org_id AND x.co_driver_id = d.id AND x.date = @day::date AND x.works ORDER BY 1 LIMIT 1) m ON true
WHERE d.org_id = @org_id AND d.is_active AND d.id > @after_driver::bigint
ORDER BY d.id
LIMIT @page_size::int;

-- name: FiguresOfDay :one
-- How a day goes at a time, against its plans: all, or those of a department. A stop counts as it was
-- released, and else as it is planned.
WITH p AS (
    SELECT p.id FROM plans p
    WHERE p.org_id = @org_id AND p.day = @day::date
      AND (sqlc.narg('department_id')::bigint IS NULL OR coalesce(p.department_id, 0) = sqlc.narg('department_id')::bigint)
), r AS (
    SELECT x.driver_id, x.starts_at, x.ends_at, x.meters FROM plan_routes x
    WHERE x.org_id = @org_id AND x.plan_id IN (SELECT p.id FROM p)
), s AS (
    SELECT x.order_id, x.kind, x.meters, w.latest, coalesce(b.starts_at, x.starts_at) AS planned,
        coalesce(b.leaves_at, x.leaves_at) AS leaves_at,
        CASE x.kind WHEN 'pickup' THEN g.pickup_status ELSE g.delivery_status END IN ('arrived', 'completed', 'failed') AS served,
        CASE x.kind WHEN 'pickup' THEN coalesce(g.pickup_arrived_at, g.pickup_ended_at)
            ELSE coalesce(g.delivery_arrived_at, g.delivery_ended_at) END AS reached,
        greatest(coalesce(e.eta, x.eta), @now::timestamptz) AS expected
    FROM plan_stops x
    CROSS JOIN LATERAL (
        SELECT y.latest FROM order_stops y
        WHERE y.org_id = x.org_id AND y.order_id = x.order_id AND y.kind = x.kind OFFSET 0
    ) w
    LEFT JOIN order_progress g ON g.org_id = x.org_id AND g.order_id = x.order_id
    LEFT JOIN plan_released_stops b ON b.org_id = x.org_id AND b.plan_id = x.plan_id AND b.order_id = x.order_id AND b.kind = x.kind
    LEFT JOIN live_etas e ON e.org_id = x.org_id AND e.order_id = x.order_id AND e.kind = x.kind AND e.driver_id = x.driver_id
    WHERE x.org_id = @org_id AND x.plan_id IN (SELECT p.id FROM p)
), o AS (
    SELECT y.id, y.status_id FROM orders y
    WHERE y.org_id = @org_id AND y.id IN (SELECT s.order_id FROM s)
), u AS (
    SELECT count(*) AS orders FROM plan_unplanned y WHERE y.org_id = @org_id AND y.plan_id IN (SELECT p.id FROM p)
)
SELECT ((SELECT count(*) FROM o) + (SELECT u.orders FROM u))::bigint AS total,
    (SELECT count(*) FROM o WHERE o.status_id = 6)::bigint AS done,
    (SELECT count(*) FROM o WHERE o.status_id = 7)::bigint AS failed,
    (SELECT count(*) FROM s WHERE s.kind = 'delivery' AND s.leaves_at <= @now::timestamptz)::bigint AS due,
    (SELECT u.orders FROM u)::bigint AS unplanned,
    (SELECT count(*) FROM s WHERE s.served)::bigint AS served,
    (SELECT count(*) FROM s WHERE s.served AND s.reached <= s.latest)::bigint AS on_time,
    (SELECT count(*) FROM s WHERE CASE WHEN s.served THEN s.reached ELSE s.expected END > s.latest)::bigint AS late,
    (SELECT count(*) FROM s WHERE s.planned > s.latest)::bigint AS late_by_plan,
    coalesce((SELECT sum(d.meters) FROM driven_legs d
        WHERE d.org_id = @org_id AND d.day = @day::date AND d.driver_id IN (SELECT r.driver_id FROM r)), 0)::bigint AS meters_driven,
    coalesce((SELECT sum(s.meters) FROM s WHERE s.planned <= @now::timestamptz), 0)::bigint AS meters_due,
    coalesce((SELECT sum(r.meters) FROM r), 0)::bigint AS meters_planned,
    coalesce((SELECT sum(extract(epoch FROM greatest(coalesce(d.ended_at, least(@now::timestamptz, d.started_at + interval '1 day'))
        - d.started_at, interval '0'))) FROM driver_days d
        WHERE d.org_id = @org_id AND d.day = @day::date AND d.driver_id IN (SELECT r.driver_id FROM r)), 0)::bigint AS seconds_worked,
    coalesce((SELECT sum(extract(epoch FROM greatest(least(r.ends_at, @now::timestamptz) - r.starts_at, interval '0'))) FROM r), 0)::bigint
        AS seconds_due,
    coalesce((SELECT sum(extract(epoch FROM r.ends_at - r.starts_at)) FROM r), 0)::bigint AS seconds_planned;

-- name: PositionsOfDay :many
-- Where the drivers on duty were last who drive a route of a day.
SELECT w.driver_id, w.latitude::float8 AS latitude, w.longitude::float8 AS longitude, w.accuracy_meters, w.at::timestamptz AS at
FROM driver_whereabouts w
WHERE w.org_id = @org_id AND w.latitude IS NOT NULL AND w.on_duty AND w.at > @since::timestamptz
  AND EXISTS (SELECT FROM plan_routes r JOIN plans p ON p.org_id = r.org_id AND p.id = r.plan_id
    WHERE r.org_id = w.org_id AND r.driver_id = w.driver_id AND p.day = @day::date)
  AND driving_day(w.org_id, w.driver_id, @now::timestamptz) = @day::date
ORDER BY w.driver_id
LIMIT @at_most::int;

-- name: PageUnplanned :many
-- Unplanned orders after a given one, with their reasons and counterfactuals.
SELECT u.plan_id, u.order_id, o.number, u.state, u.certainty, u.searched_ms,
    plan_reasons_document(u.org_id, u.reasons)::jsonb AS reasons,
    plan_counterfactuals_document(u.org_id, u.order_id, u.counterfactuals)::jsonb AS counterfactuals,
    coalesce(plan_nothing_helps_document(u.counterfactuals), 'null')::jsonb AS nothing_helps,
    coalesce(order_lock_document(u.org_id, u.order_id), 'null')::jsonb AS lock,
    unknown_addresses(u.org_id, u.order_id, u.reasons)::jsonb AS unknown_addresses, c.business_name AS customer,
    coalesce((SELECT jsonb_object_agg(s.kind, jsonb_build_object('name', s.name, 'address1', s.address1, 'postalCode', s.postal_code,
            'city', s.city, 'latitude', coalesce(s.latitude, (s.position ->> 'latitude')::float8),
            'longitude', coalesce(s.longitude, (s.position ->> 'longitude')::float8), 'earliest', iso_utc(s.earliest), 'latest', iso_utc(s.latest)))
        FROM order_stops s WHERE s.org_id = u.org_id AND s.order_id = u.order_id), '{}')::jsonb AS stops
FROM plan_unplanned u JOIN orders o ON o.org_id = u.org_id AND o.id = u.order_id
JOIN customers c ON c.org_id = o.org_id AND c.id = o.customer_id
WHERE u.org_id = @org_id AND u.plan_id = ANY (@plan_ids::bigint[]) AND u.order_id > @after_order::bigint
ORDER BY u.order_id
LIMIT @page_size::int;

-- name: OrderPlanning :one
-- An order's planning and lock; no row for an unknown order.
SELECT (order_planning_document(o.org_id, o.id)
    || jsonb_build_object('lock', order_lock_document(o.org_id, o.id)))::jsonb AS document FROM orders o WHERE o.org_id = @org_id AND o.id = @id;

-- name: NamesInPlans :many
-- The names of drivers, vehicle types and skills, and the numbers of orders.
SELECT 'driver'::text AS kind, d.id, d.name FROM drivers d WHERE d.org_id = @org_id AND d.id = ANY (@drivers::bigint[])
UNION ALL
SELECT 'vehicle_type', t.id, t.name FROM vehicle_types t
WHERE t.org_id = @org_id AND t.id = ANY (@vehicle_types::bigint[])
UNION ALL
SELECT 'skill', k.id, k.name FROM skills k WHERE k.org_id = @org_id AND k.id = ANY (@skills::bigint[])
UNION ALL
SELECT 'order', o.id, o.number FROM orders o WHERE o.org_id = @org_id AND o.id = ANY (@orders::bigint[]);
