-- name: FindPlan :one
-- The plan of an area and a day, with ids of 0 when it does not exist, the
-- organization's time zone, and the clock of a simulated day.
SELECT o.timezone, coalesce(o.goods_apart, 'null')::jsonb AS goods_apart, coalesce(o.load_dimensions, 'null')::jsonb AS load_dimensions,
    coalesce(o.costs, '{}')::jsonb AS costs, coalesce(o.rush_hours, 'null')::jsonb AS rush_hours,
    ARRAY(SELECT k.id FROM skills k WHERE k.org_id = o.id AND k.for_two ORDER BY 1)::bigint[] AS for_two,
    coalesce(p.id, 0)::bigint AS id, coalesce(p.version, 0)::bigint AS version,
    coalesce(p.fresh, false)::boolean AS fresh, coalesce(p.searched_ms, 0)::int AS searched_ms,
    coalesce(p.left_out, '{}')::jsonb AS left_out,
    coalesce(y.loading_minutes, o.loading_minutes, -1)::int AS loading_minutes,
    coalesce(y.release_minute, -1)::smallint AS release_minute, coalesce(y.release_days_before, 0)::smallint AS release_days_before,
    coalesce(y.release_threshold_minutes, 10)::smallint AS release_threshold_minutes,
    coalesce(p.released_at, '0001-01-01 00:00:00+00')::timestamptz AS released_at,
    coalesce(r.pace, 0)::int AS pace, r.clock_from, r.clock_since,
    coalesce(y.calendar_id, 0)::bigint AS calendar_id, calendars_of(o.id)::jsonb AS calendars
FROM organizations o
LEFT JOIN departments y ON y.org_id = o.id AND y.id = @department_id::bigint
LEFT JOIN plans p ON p.org_id = o.id AND p.day = @day::date AND coalesce(p.department_id, 0) = @department_id::bigint
LEFT JOIN sandbox_runs r ON r.org_id = o.id AND r.state = 'RUNNING' AND r.day = @day::date
WHERE o.id = @org_id;

-- Planning reads orders with one query per table, by lists of keys: without
-- statistics, the planner would scan all rows of the organization for each
-- order of a join.

-- name: OrdersToPlan :many
-- The unfinished orders of an area and a day, and those in its plan.
SELECT o.id, o.number, o.status_id, coalesce(o.driver_id, 0)::bigint AS driver_id, o.vehicle_type_id, o.customer_id,
    coalesce(o.planned_seconds, 0)::int AS planned_seconds, t.priority AS type_priority, coalesce(t.service_time::text, '')::text AS type_times,
    coalesce(o.asks::text, '')::text AS asks,
    (o.date <> @day::date OR coalesce(o.department_id, 0) <> @department_id::bigint OR o.status_id = 8)::boolean AS away
FROM orders o
JOIN order_types t ON t.org_id = o.org_id AND t.id = o.order_type_id
WHERE o.org_id = @org_id AND (
    o.date = @day::date AND o.status_id <= 5 AND coalesce(o.department_id, 0) = @department_id::bigint
    OR o.id = ANY (ARRAY(SELECT b.order_id FROM plan_stops b WHERE b.org_id = @org_id AND b.plan_id = @plan_id::bigint)))
ORDER BY o.id;

-- name: OrdersChangedSince :one
-- The orders with events after a position of the log. An event without an order concerns all
-- of them, unless it is about one of the given other subjects.
WITH news AS (
    SELECT e.order_id, e.subject_type FROM events e
    WHERE e.org_id = @org_id AND e.position > @after::bigint AND e.kind <> '' AND e.position IS NOT NULL
    UNION ALL
    SELECT e.order_id, e.subject_type FROM events e WHERE e.org_id = @org_id AND e.position IS NULL
)
SELECT coalesce(array_agg(DISTINCT n.order_id) FILTER (WHERE n.order_id IS NOT NULL), '{}')::bigint[] AS order_ids,
    coalesce(bool_or(n.order_id IS NULL AND n.subject_type <> ALL (@unrelated::text[])), false)::boolean AS concerns_all
FROM news n;

-- name: OrdersToPlanAgain :many
-- The same, for some orders only.
SELECT o.id, o.number, o.status_id, coalesce(o.driver_id, 0)::bigint AS driver_id, o.vehicle_type_id, o.customer_id,
    coalesce(o.planned_seconds, 0)::int AS planned_seconds, t.priority AS type_priority, coalesce(t.service_time::text, '')::text AS type_times,
    coalesce(o.asks::text, '')::text AS asks,
    (o.date <> @day::date OR coalesce(o.department_id, 0) <> @department_id::bigint OR o.status_id = 8)::boolean AS away
FROM orders o
JOIN order_types t ON t.org_id = o.org_id AND t.id = o.order_type_id
WHERE o.org_id = @org_id AND o.id = ANY (@order_ids::bigint[]) AND (
    o.date = @day::date AND o.status_id <= 5 AND coalesce(o.department_id, 0) = @department_id::bigint
    OR EXISTS (SELECT FROM plan_stops b WHERE b.org_id = @org_id AND b.order_id = o.id AND b.plan_id = @plan_id::bigint))
ORDER BY o.id;

-- name: OrdersToTry :many
-- The same for orders of other days, as if they were of this one; date is the day that they have.
SELECT o.id, o.number, o.status_id, 0::bigint AS driver_id, o.vehicle_type_id, o.customer_id,
    0::int AS planned_seconds, t.priority AS type_priority, coalesce(t.service_time::text, '')::text AS type_times,
    coalesce(o.asks::text, '')::text AS asks, false AS away, o.date
FROM orders o
JOIN order_types t ON t.org_id = o.org_id AND t.id = o.order_type_id
WHERE o.org_id = @org_id AND o.id = ANY (@order_ids::bigint[])
ORDER BY o.id;

-- name: OrdersOfSeveralDays :many
-- The orders of an area and a day that may be carried out on another day as well. Their date is not told to a
-- recipient, fixed by a person, a booking or a lock, nor known to a carrier, and no other number shares their content.
-- Without ids, all of the area's.
SELECT o.id, (o.asks ->> 'first_date')::text AS first_date, (o.asks ->> 'latest_date')::text AS latest_date,
    (o.driver_id IS NOT NULL)::boolean AS planned
FROM orders o
WHERE o.org_id = @org_id AND o.date = @day::date AND coalesce(o.department_id, 0) = @department_id::bigint
    AND o.status_id <= 2 AND o.asks ? 'latest_date' AND NOT o.asks ? 'date_fixed'
    AND (cardinality(@order_ids::bigint[]) = 0 OR o.id = ANY (@order_ids::bigint[]))
    AND NOT EXISTS (SELECT FROM delivery_promises p WHERE p.org_id = o.org_id AND p.order_id = o.id)
    AND NOT EXISTS (SELECT FROM order_driver_locks x WHERE x.org_id = o.org_id AND x.order_id = o.id)
    AND NOT EXISTS (SELECT FROM order_exports e WHERE e.org_id = o.org_id AND e.order_id = o.id AND e.exported_version > 0)
    AND NOT EXISTS (SELECT FROM order_stops s WHERE s.org_id = o.org_id AND s.order_id = o.id AND s.window_source = 'booking')
    AND (SELECT count(*) FROM order_numbers n WHERE n.org_id = o.org_id AND n.order_id = o.id) = 1
ORDER BY o.driver_id IS NOT NULL, o.id;

-- name: StopsToPlan :many
-- The stops of orders, with their progress on the road, if any.
SELECT s.id, s.order_id, s.kind, s.location_id, s.earliest, s.latest, s.window_source,
    coalesce(s.asks, 'null')::jsonb AS asks, s.priority, s.latitude, s.longitude,
    coalesce((s.position ->> 'latitude')::float8, 'NaN')::float8 AS placed_latitude,
    coalesce((s.position ->> 'longitude')::float8, 'NaN')::float8 AS placed_longitude,
    coalesce(s.position ->> 'precision', '')::text AS precision, coalesce(s.position ->> 'source', '')::text AS source,
    s.estimated_time_on_location AS minutes, coalesce(s.country, '')::text AS country,
    coalesce(s.postal_code, '')::text AS postal_code,
    coalesce(s.address1, '')::text AS address1, coalesce(s.city, '')::text AS city,
    coalesce(CASE s.kind WHEN 'pickup' THEN g.pickup_status ELSE g.delivery_status END, '')::text AS status,
    coalesce(CASE s.kind WHEN 'pickup' THEN g.pickup_arrived_at ELSE g.delivery_arrived_at END,
        '0001-01-01 00:00:00+00')::timestamptz AS arrived_at,
    coalesce(CASE s.kind WHEN 'pickup' THEN g.pickup_ended_at ELSE g.delivery_ended_at END,
        '0001-01-01 00:00:00+00')::timestamptz AS ended_at
FROM order_stops s LEFT JOIN order_progress g ON g.org_id = s.org_id AND g.order_id = s.order_id
WHERE s.org_id = @org_id AND s.order_id = ANY (@order_ids::bigint[]);

-- name: LocationsToPlan :many
-- Locations without coordinates are where their address is.
SELECT l.id, l.latitude, l.longitude, l.curbside, l.estimated_time_on_location AS minutes, coalesce(l.service_time::text, '')::text AS times,
    coalesce((l.position ->> 'latitude')::float8, 'NaN')::float8 AS placed_latitude,
    coalesce((l.position ->> 'longitude')::float8, 'NaN')::float8 AS placed_longitude,
    coalesce(l.calendar_id, 0)::bigint AS calendar_id
FROM locations l WHERE l.org_id = @org_id AND l.id = ANY (@ids::bigint[]);

-- name: Calendars :one
-- All active calendars of an organization.
SELECT calendars_of(@org_id)::jsonb AS calendars;

-- name: CalendarsOfCustomers :many
-- The calendars that customers keep.
SELECT c.id, c.calendar_id::bigint AS calendar_id FROM customers c
WHERE c.org_id = @org_id AND c.id = ANY (@ids::bigint[]) AND c.calendar_id IS NOT NULL;

-- name: ProductsToPlan :many
SELECT i.order_id, i.id, coalesce(i.parent_id, 0)::bigint AS parent_id, i.quantity::float8 AS quantity,
    coalesce(i.weight, 'NaN')::float8 AS weight, coalesce(i.length, 'NaN')::float8 AS length,
    coalesce(i.width, 'NaN')::float8 AS width, coalesce(i.height, 'NaN')::float8 AS height,
    coalesce(i.load_amounts::text, '')::text AS load_amounts
FROM order_products i WHERE i.org_id = @org_id AND i.order_id = ANY (@order_ids::bigint[])
ORDER BY i.order_id, i.id;

-- name: SkillsToPlan :many
-- The skills that stops and products of orders require or prohibit, by the stop or
-- the product.
SELECT x.stop_id::bigint AS stop_id, 0::bigint AS product_id, x.skill_id, x.type
FROM stop_skills x WHERE x.org_id = @org_id AND x.stop_id = ANY (@stop_ids::bigint[])
UNION ALL
SELECT 0, y.order_product_id, y.skill_id, y.type
FROM order_product_skills y WHERE y.org_id = @org_id AND y.order_product_id = ANY (@product_ids::bigint[]);

-- name: ProhibitionsToPlan :many
-- The drivers that orders, customers and locations prohibit.
SELECT x.order_id::bigint AS order_id, 0::bigint AS customer_id, 0::bigint AS location_id, x.driver_id
FROM order_prohibited_drivers x WHERE x.org_id = @org_id AND x.order_id = ANY (@order_ids::bigint[])
UNION ALL
SELECT 0, y.customer_id, 0, y.driver_id
FROM customer_prohibited_drivers y WHERE y.org_id = @org_id AND y.customer_id = ANY (@customer_ids::bigint[])
UNION ALL
SELECT 0, 0, z.location_id, z.driver_id
FROM location_prohibited_drivers z WHERE z.org_id = @org_id AND z.location_id = ANY (@location_ids::bigint[]);

-- name: LocksToPlan :many
SELECT x.order_id, x.driver_id, x.accepts_anyhow, x.pickup_until, x.delivery_until
FROM order_driver_locks x WHERE x.org_id = @org_id AND x.order_id = ANY (@order_ids::bigint[]);

-- name: ExportedToPlan :many
-- The orders that an external carrier has.
SELECT e.order_id FROM order_exports e
WHERE e.org_id = @org_id AND e.order_id = ANY (@order_ids::bigint[]) AND e.exported_version > 0;

-- name: PostalPlaces :many
-- The center of the locations in each postal code that has locations with
-- positions.
SELECT k.country::text AS country, k.postal_code::text AS postal_code, m.latitude::float8 AS latitude,
    m.longitude::float8 AS longitude
FROM (SELECT unnest(@countries::text[]) AS country, unnest(@postal_codes::text[]) AS postal_code) k
CROSS JOIN LATERAL (
    SELECT avg(x.latitude) AS latitude, avg(x.longitude) AS longitude
    FROM (SELECT y.latitude, y.longitude FROM locations y
        WHERE y.org_id = @org_id AND y.postal_code = k.postal_code AND coalesce(y.country, '') = k.country
          AND y.latitude IS NOT NULL AND y.longitude IS NOT NULL
        ORDER BY y.id LIMIT 100) x
) m
WHERE m.latitude IS NOT NULL;

-- name: DriversToPlan :many
-- The drivers of an area who may work on a day, by the entry for the day or
-- else by the rules. Vehicle and locations are those of the day, or else the
-- driver's own. A driver who has begun a route belongs to its area that day,
-- otherwise to that of their department. The locations are read by id: a join
-- would scan all locations for each driver.
WITH elsewhere AS MATERIALIZED (
    SELECT x.driver_id, (SELECT coalesce(b.department_id, 0) FROM plans b
        WHERE b.org_id = @org_id AND b.id = begun_route(@org_id::bigint, x.driver_id, @day::date)) AS department_id
    FROM (
        SELECT DISTINCT r.driver_id FROM plans p
        JOIN plan_routes r ON r.org_id = p.org_id AND r.plan_id = p.id
        JOIN drivers y ON y.org_id = r.org_id AND y.id = r.driver_id
        WHERE p.org_id = @org_id AND p.day = @day::date AND p.department_id IS DISTINCT FROM y.department_id
    ) x
)
SELECT d.id, (w.date IS NOT NULL)::boolean AS is_said, coalesce(w.works, false)::boolean AS works,
    coalesce(w.starts, 0)::smallint AS starts, coalesce(w.ends, 0)::smallint AS ends,
    coalesce(w.break_minutes, 0)::smallint AS break_minutes, coalesce(w.break_earliest, 0)::smallint AS break_earliest,
    coalesce(w.break_latest, 0)::smallint AS break_latest, coalesce(w.more_breaks::text, '')::text AS more_breaks,
    coalesce(w.break_location_ids, '{}')::bigint[] AS break_location_ids,
    (n.date IS NOT NULL)::boolean AS next_is_said, coalesce(n.works, false)::boolean AS next_works,
    coalesce(n.starts, 0)::smallint AS next_starts, coalesce(n.ends, 0)::smallint AS next_ends,
    (SELECT jsonb_agg(jsonb_build_object('rrule', r.rrule, 'starts', r.starts, 'ends', r.ends,
        'breakMinutes', r.break_minutes, 'breakEarliest', r.break_earliest, 'breakLatest', r.break_latest,
        'moreBreaks', r.more_breaks, 'breakLocationIds', r.break_location_ids) ORDER BY r.seq)
     FROM driver_workday_rules r WHERE r.org_id = d.org_id AND r.driver_id = d.id)::jsonb AS rules,
    ARRAY(SELECT k.skill_id FROM driver_skills k WHERE k.org_id = d.org_id AND k.driver_id = d.id ORDER BY 1)::bigint[] AS skills,
    coalesce(v.id, 0)::bigint AS vehicle_id, coalesce(v.vehicle_type_id, 0)::bigint AS vehicle_type_id,
    coalesce(vehicle_profile(t), '')::text AS profile, coalesce(t.driving_rule, '')::text AS driving_rule,
    coalesce(t.extra_setup_seconds, 0)::int AS extra_setup_seconds,
    coalesce(v.max_weight_kg, t.max_weight_kg, 'NaN')::float8 AS max_weight_kg,
    coalesce(v.max_volume_m3, t.max_volume_m3, 'NaN')::float8 AS max_volume_m3,
    coalesce(v.max_route_km, t.max_route_km, 'NaN')::float8 AS max_route_km,
    vehicle_loads(v.max_loads, t.max_loads)::jsonb AS max_loads,
    coalesce(t.cost_per_shift, 'NaN')::float8 AS cost_per_shift, coalesce(t.cost_per_hour, 'NaN')::float8 AS cost_per_hour,
    coalesce(t.cost_per_km, 'NaN')::float8 AS cost_per_km,
    coalesce(least(t.max_stops, w.max_stops, o.max_stops), 0)::int AS max_stops,
    coalesce(least(t.max_driving_minutes, w.max_driving_minutes, o.max_driving_minutes), 0)::int AS max_driving_minutes,
    ARRAY(SELECT a.served_type_id FROM vehicle_type_also_serves a
        WHERE a.org_id = d.org_id AND a.vehicle_type_id = v.vehicle_type_id ORDER BY 1)::bigint[] AS also_serves,
    ARRAY(SELECT k.skill_id FROM vehicle_skills k WHERE k.org_id = d.org_id AND k.vehicle_id = v.id
        ORDER BY 1)::bigint[] AS vehicle_skills,
    coalesce(v.home_location_id, 0)::bigint AS home_id, coalesce(d.preferences, '{}')::jsonb AS preferences,
    coalesce(d.driving_factor, 0)::float8 AS driving_factor, coalesce(d.visit_factor, 0)::float8 AS visit_factor,
    coalesce(w.start_location_id, d.start_location_id, 0)::bigint AS start_id,
    coalesce(w.end_location_id, d.end_location_id, 0)::bigint AS end_id,
    CASE WHEN w.works THEN coalesce(w.co_driver_id, 0) ELSE 0 END::bigint AS co_driver_id,
    coalesce(w.shares_driving, false)::boolean AS shares_driving,
    coalesce(m.driver_id, 0)::bigint AS rides_with_id, coalesce(m.starts, 0)::smallint AS rides_from,
    coalesce(m.ends, 0)::smallint AS rides_until,
    (m.driver_id IS NOT NULL AND begun_route(@org_id::bigint, d.id, @day::date) IS NOT NULL)::boolean AS rider_has_begun,
    coalesce((SELECT min(x.starts) FROM driver_workdays x WHERE x.org_id = d.org_id AND x.co_driver_id = d.id
        AND x.date = @next_day::date AND x.works), -1)::smallint AS next_rides_from,
    coalesce((SELECT y.calendar_id FROM departments y WHERE y.org_id = d.org_id AND y.id = d.department_id), 0)::bigint AS calendar_id
FROM drivers d
JOIN organizations o ON o.id = d.org_id
LEFT JOIN driver_workdays w ON w.org_id = d.org_id AND w.driver_id = d.id AND w.date = @day::date
LEFT JOIN driver_workdays n ON n.org_id = d.org_id AND n.driver_id = d.id AND n.date = @next_day::date
LEFT JOIN LATERAL (SELECT x.driver_id, x.starts, x.ends FROM driver_workdays x
    JOIN drivers y ON y.org_id = x.org_id AND y.id = x.driver_id AND y.is_active
    WHERE x.org_id = @org_id AND x.co_driver_id = d.id AND x.date = @day::date AND x.works ORDER BY 1 LIMIT 1) m ON true
LEFT JOIN LATERAL (SELECT x.* FROM vehicles x
    WHERE x.org_id = @org_id AND x.id = coalesce(w.vehicle_id, d.vehicle_id) AND x.is_active OFFSET 0) v ON true
LEFT JOIN vehicle_types t ON t.org_id = v.org_id AND t.id = v.vehicle_type_id
LEFT JOIN elsewhere g ON g.driver_id = d.id
WHERE d.org_id = @org_id AND d.is_active AND coalesce(g.department_id, d.department_id, 0) = @department_id::bigint
  AND (@every::boolean OR d.id = ANY (@driver_ids::bigint[]))
ORDER BY d.id;

-- name: VehicleTypesToTry :many
-- What drivers have on a day with a vehicle of another type.
SELECT x.driver_id::bigint AS driver_id, t.id AS vehicle_type_id,
    coalesce(vehicle_profile(t), '')::text AS profile, coalesce(t.driving_rule, '')::text AS driving_rule,
    t.extra_setup_seconds::int AS extra_setup_seconds,
    coalesce(t.max_weight_kg, 'NaN')::float8 AS max_weight_kg, coalesce(t.max_volume_m3, 'NaN')::float8 AS max_volume_m3,
    coalesce(t.max_route_km, 'NaN')::float8 AS max_route_km, vehicle_loads(NULL, t.max_loads)::jsonb AS max_loads,
    coalesce(t.cost_per_shift, 'NaN')::float8 AS cost_per_shift, coalesce(t.cost_per_hour, 'NaN')::float8 AS cost_per_hour,
    coalesce(t.cost_per_km, 'NaN')::float8 AS cost_per_km,
    coalesce(least(t.max_stops, w.max_stops, o.max_stops), 0)::int AS max_stops,
    coalesce(least(t.max_driving_minutes, w.max_driving_minutes, o.max_driving_minutes), 0)::int AS max_driving_minutes,
    ARRAY(SELECT a.served_type_id FROM vehicle_type_also_serves a
        WHERE a.org_id = t.org_id AND a.vehicle_type_id = t.id ORDER BY 1)::bigint[] AS also_serves
FROM (SELECT unnest(@driver_ids::bigint[]) AS driver_id, unnest(@vehicle_type_ids::bigint[]) AS vehicle_type_id) x
JOIN vehicle_types t ON t.org_id = @org_id AND t.id = x.vehicle_type_id
JOIN organizations o ON o.id = t.org_id
LEFT JOIN driver_workdays w ON w.org_id = t.org_id AND w.driver_id = x.driver_id AND w.date = @day::date;

-- name: CoDriversToPlan :many
-- Those who ride along, with their own workday by the entry for a day or else by the rules, and when they work next.
SELECT d.id, (w.date IS NOT NULL)::boolean AS is_said, coalesce(w.works, false)::boolean AS works,
    coalesce(w.starts, 0)::smallint AS starts, coalesce(w.ends, 0)::smallint AS ends,
    (n.date IS NOT NULL)::boolean AS next_is_said, coalesce(n.works, false)::boolean AS next_works,
    coalesce(n.starts, 0)::smallint AS next_starts, coalesce(n.ends, 0)::smallint AS next_ends,
    (SELECT jsonb_agg(jsonb_build_object('rrule', r.rrule, 'starts', r.starts, 'ends', r.ends) ORDER BY r.seq)
     FROM driver_workday_rules r WHERE r.org_id = d.org_id AND r.driver_id = d.id)::jsonb AS rules,
    ARRAY(SELECT k.skill_id FROM driver_skills k WHERE k.org_id = d.org_id AND k.driver_id = d.id ORDER BY 1)::bigint[] AS skills,
    coalesce(d.preferences, '{}')::jsonb AS preferences,
    (begun_route(@org_id::bigint, d.id, @day::date) IS NOT NULL)::boolean AS has_begun,
    coalesce((SELECT min(x.starts) FROM driver_workdays x WHERE x.org_id = d.org_id AND x.co_driver_id = d.id
        AND x.date = @next_day::date AND x.works), -1)::smallint AS next_rides_from,
    coalesce((SELECT y.calendar_id FROM departments y WHERE y.org_id = d.org_id AND y.id = d.department_id), 0)::bigint AS calendar_id
FROM drivers d
LEFT JOIN driver_workdays w ON w.org_id = d.org_id AND w.driver_id = d.id AND w.date = @day::date
LEFT JOIN driver_workdays n ON n.org_id = d.org_id AND n.driver_id = d.id AND n.date = @next_day::date
WHERE d.org_id = @org_id AND d.is_active AND d.id = ANY (@ids::bigint[])
ORDER BY d.id;

-- name: NightsBefore :many
-- The drivers of all areas who may work past midnight on the day before a day, by the entry for it or else by
-- the rules, with the vehicle of that day, and when their route ends; in the year 1 without one.
SELECT d.id, coalesce(w.vehicle_id, d.vehicle_id, 0)::bigint AS vehicle_id, coalesce(w.co_driver_id, 0)::bigint AS co_driver_id,
    (w.date IS NOT NULL)::boolean AS is_said, coalesce(w.works, false)::boolean AS works,
    coalesce(w.starts, 0)::smallint AS starts, coalesce(w.ends, 0)::smallint AS ends,
    (SELECT jsonb_agg(jsonb_build_object('rrule', r.rrule, 'starts', r.starts, 'ends', r.ends) ORDER BY r.seq)
     FROM driver_workday_rules r WHERE r.org_id = d.org_id AND r.driver_id = d.id)::jsonb AS rules,
    coalesce((SELECT max(r.ends_at) FROM plans p
        JOIN plan_routes r ON r.org_id = p.org_id AND r.plan_id = p.id AND r.driver_id = d.id
        WHERE p.org_id = @org_id AND p.day = @day_before::date), '0001-01-01 00:00:00+00')::timestamptz AS route_ends_at,
    coalesce((SELECT y.calendar_id FROM departments y WHERE y.org_id = d.org_id AND y.id = d.department_id), 0)::bigint AS calendar_id
FROM drivers d
LEFT JOIN driver_workdays w ON w.org_id = d.org_id AND w.driver_id = d.id AND w.date = @day_before::date
WHERE d.org_id = @org_id AND d.is_active
  AND CASE WHEN w.date IS NOT NULL THEN w.works AND w.ends > 0 AND w.ends < w.starts
      ELSE EXISTS (SELECT FROM driver_workday_rules r
          WHERE r.org_id = @org_id AND r.driver_id = d.id AND r.ends > 0 AND r.ends < r.starts) END
ORDER BY d.id;

-- name: DrivenBefore :many
-- What drivers did, or will do by their plans, on the days before a day, alone or with another one. Legs that end after
-- midnight are driven in the night.
SELECT u.driver_id::bigint AS driver_id, l.day, r.driving_seconds, r.starts_at, r.ends_at, r.shares_driving,
    (u.driver_id IS NOT DISTINCT FROM r.co_driver_id AND NOT r.shares_driving)::boolean AS rode_along,
    CASE WHEN r.ends_at > m.midnight THEN r.driving_seconds - coalesce((SELECT sum(s.driving_seconds) FROM plan_stops s
        WHERE s.org_id = r.org_id AND s.plan_id = r.plan_id AND s.driver_id = r.driver_id
          AND s.arrives_at <= m.midnight), 0) ELSE 0 END::int AS night_seconds
FROM plans l
JOIN organizations o ON o.id = l.org_id
CROSS JOIN LATERAL (SELECT (l.day + 1)::timestamp AT TIME ZONE o.timezone AS midnight) m
JOIN plan_routes r ON r.org_id = l.org_id AND r.plan_id = l.id
CROSS JOIN LATERAL unnest(ARRAY[r.driver_id, r.co_driver_id]) u(driver_id)
WHERE l.org_id = @org_id AND l.day BETWEEN @first_day::date AND @last_day::date AND u.driver_id = ANY (@driver_ids::bigint[])
ORDER BY u.driver_id, l.day, r.starts_at;

-- name: RoutesOfPlan :many
-- The routes of a plan, with where their drivers were last, and when they ended them.
SELECT r.driver_id, coalesce(r.vehicle_id, 0)::bigint AS vehicle_id, r.starts_at, r.ends_at, r.driving_seconds,
    r.waiting_seconds, r.meters, r.weight_kg::float8 AS weight_kg, r.volume_m3::float8 AS volume_m3, r.break_starts_at,
    r.break_ends_at, r.breaks, r.driving_left_seconds, r.load_amounts, r.costs,
    coalesce(r.co_driver_id, 0)::bigint AS co_driver_id, r.shares_driving, w.latitude AS was_latitude, w.longitude AS was_longitude, w.at AS was_at, y.ended_at,
    h.stops AS held_stops, h.is_closed
FROM plan_routes r
JOIN plans l ON l.org_id = r.org_id AND l.id = r.plan_id
LEFT JOIN driver_whereabouts w ON w.org_id = r.org_id AND w.driver_id = r.driver_id
LEFT JOIN driver_days y ON y.org_id = r.org_id AND y.driver_id = r.driver_id AND y.day = l.day
LEFT JOIN route_holds h ON h.org_id = r.org_id AND h.plan_id = r.plan_id AND h.driver_id = r.driver_id
WHERE r.org_id = @org_id AND r.plan_id = @plan_id AND (@every::boolean OR r.driver_id = ANY (@driver_ids::bigint[]))
ORDER BY r.driver_id;

-- name: DriversOfOrders :many
-- The drivers whose routes have any of some orders.
SELECT DISTINCT s.driver_id FROM plan_stops s
WHERE s.org_id = @org_id AND s.plan_id = @plan_id AND s.order_id = ANY (@order_ids::bigint[]);

-- name: StopsOfPlan :many
-- The stops of a plan, with the estimated arrival of the driver who is on the
-- way to one. The ETA is the last one announced, by the plan or from the road.
-- A large day has thousands of stops, so each row is looked up once.
SELECT p.driver_id, p.order_id, p.kind, p.arrives_at, p.starts_at, p.leaves_at, p.slack_seconds, p.late_seconds, coalesce(t.told, p.eta)::timestamptz AS eta, p.driving_seconds, p.setup_seconds, p.joined,
    p.meters, p.latitude, p.longitude, p.curbside, p.guessed, coalesce(p.meters_from_road, 0)::bigint AS meters_from_road, coalesce(CASE WHEN t.ahead = 0 AND NOT EXISTS (SELECT FROM order_progress g
        WHERE g.org_id = p.org_id AND g.order_id = p.order_id
          AND CASE p.kind WHEN 'pickup' THEN g.pickup_status ELSE g.delivery_status END IN ('completed', 'failed', 'dropped'))
        THEN t.eta END, '0001-01-01 00:00:00+00')::timestamptz AS live, p.version
FROM plan_stops p
LEFT JOIN live_etas t ON t.org_id = p.org_id AND t.order_id = p.order_id AND t.kind = p.kind AND t.driver_id = p.driver_id
WHERE p.org_id = @org_id AND p.plan_id = @plan_id AND (@every::boolean OR p.driver_id = ANY (@driver_ids::bigint[]))
ORDER BY p.driver_id, p.seq;

-- name: UnplannedOfPlan :many
SELECT order_id, state, certainty, searched_ms, reasons, (counterfactuals IS NOT NULL)::boolean AS helped, help_until
FROM plan_unplanned
WHERE org_id = @org_id AND plan_id = @plan_id AND (@every::boolean OR order_id = ANY (@order_ids::bigint[]))
ORDER BY order_id;

-- name: AddPlan :exec
-- Creates the plan of an area and a day, if there is none.
INSERT INTO plans (org_id, department_id, day) VALUES (@org_id, nullif(@department_id::bigint, 0), @day)
ON CONFLICT DO NOTHING;

-- name: LockPlan :one
-- Locks the plan of an area and a day until the end of the transaction.
SELECT id, version, fresh, fresh_version, (released_at IS NOT NULL)::boolean AS released FROM plans
WHERE org_id = @org_id AND day = @day::date AND coalesce(department_id, 0) = @department_id::bigint
FOR UPDATE;

-- name: LockOrdersOfPlan :exec
-- Locks the orders that planning changes, by id.
SELECT o.id FROM (SELECT DISTINCT unnest(@ids::bigint[]) AS id ORDER BY 1) k
CROSS JOIN LATERAL (SELECT x.id FROM orders x WHERE x.org_id = @org_id AND x.id = k.id FOR NO KEY UPDATE) o;

-- name: CommitPlan :exec
-- Records a commit of a plan; moved is set when it changed any driver's work, from_scratch when
-- it is the requested fresh start, and again (1 or 0) when it was merged with later
-- changes.
UPDATE plans SET version = version + 1, searched_ms = @searched_ms, travel = @travel,
    travel_failure = nullif(@travel_failure::text, ''), travel_failure_code = nullif(@travel_failure_code::text, ''), guessed_legs = @guessed_legs, left_out = @left_out, fresh = fresh AND NOT @from_scratch::boolean,
    carried_over = carried_over + @again::int, planned_at = now(),
    updated_at = CASE WHEN @moved::boolean THEN now() ELSE updated_at END
WHERE org_id = @org_id AND id = @id;

-- name: PutPlanRoutes :exec
-- Times of zero mean none.
INSERT INTO plan_routes AS r (org_id, plan_id, driver_id, vehicle_id, starts_at, ends_at, driving_seconds, waiting_seconds,
    meters, weight_kg, volume_m3, break_starts_at, break_ends_at, breaks, driving_left_seconds, load_amounts, costs, co_driver_id, shares_driving)
SELECT @org_id, @plan_id, x.driver_id, nullif(x.vehicle_id, 0), x.starts_at, x.ends_at, x.driving_seconds,
    x.waiting_seconds, x.meters, x.weight_kg, x.volume_m3,
    nullif(x.break_starts_at, '0001-01-01 00:00:00+00'), nullif(x.break_ends_at, '0001-01-01 00:00:00+00'),
    x.breaks, nullif(x.driving_left_seconds, -1), x.load_amounts, nullif(x.costs, 'null'),
    nullif(x.co_driver_id, 0), x.shares_driving
FROM (
    SELECT unnest(@driver_ids::bigint[]) AS driver_id, unnest(@vehicle_ids::bigint[]) AS vehicle_id,
        unnest(@starts_ats::timestamptz[]) AS starts_at, unnest(@ends_ats::timestamptz[]) AS ends_at,
        unnest(@driving_seconds::int[]) AS driving_seconds, unnest(@waiting_seconds::int[]) AS waiting_seconds,
        unnest(@meters::int[]) AS meters, unnest(@weight_kgs::float8[]) AS weight_kg,
        unnest(@volume_m3s::float8[]) AS volume_m3, unnest(@break_starts_ats::timestamptz[]) AS break_starts_at,
        unnest(@break_ends_ats::timestamptz[]) AS break_ends_at, unnest(@breaks::jsonb[]) AS breaks,
        unnest(@driving_left_seconds::int[]) AS driving_left_seconds, unnest(@load_amounts::jsonb[]) AS load_amounts,
        unnest(@costs::jsonb[]) AS costs, unnest(@co_driver_ids::bigint[]) AS co_driver_id,
        unnest(@shares_driving::boolean[]) AS shares_driving
) x
ON CONFLICT (org_id, plan_id, driver_id) DO UPDATE SET vehicle_id = excluded.vehicle_id, starts_at = excluded.starts_at,
    ends_at = excluded.ends_at, driving_seconds = excluded.driving_seconds, waiting_seconds = excluded.waiting_seconds,
    meters = excluded.meters, weight_kg = excluded.weight_kg, volume_m3 = excluded.volume_m3,
    break_starts_at = excluded.break_starts_at, break_ends_at = excluded.break_ends_at,
    breaks = excluded.breaks, driving_left_seconds = excluded.driving_left_seconds,
    load_amounts = excluded.load_amounts, costs = excluded.costs, co_driver_id = excluded.co_driver_id,
    shares_driving = excluded.shares_driving;

-- name: DeletePlanStops :exec
-- Takes orders off the routes of a plan; those of another plan stay there.
DELETE FROM plan_stops s USING (SELECT unnest(@order_ids::bigint[]) AS id) k
WHERE s.org_id = @org_id AND s.order_id = k.id AND s.plan_id = @plan_id;

-- name: PutPlanStops :exec
-- Puts stops into routes, wherever they were before. The version of a stop that is new in
-- its route is this one.
INSERT INTO plan_stops AS s (org_id, order_id, kind, plan_id, driver_id, seq, arrives_at, starts_at, leaves_at,
    slack_seconds, late_seconds, eta, driving_seconds, setup_seconds, joined, meters, latitude, longitude, guessed,
    meters_from_road, curbside, version)
SELECT @org_id, x.order_id, x.kind, @plan_id, x.driver_id, x.seq, x.arrives_at, x.starts_at, x.leaves_at, x.slack_seconds,
    x.late_seconds, x.eta, x.driving_seconds, x.setup_seconds, x.joined, x.meters, x.latitude, x.longitude, x.guessed,
    nullif(x.meters_from_road, 0), x.curbside, @version
FROM (
    SELECT unnest(@order_ids::bigint[]) AS order_id, unnest(@kinds::text[]) AS kind,
        unnest(@driver_ids::bigint[]) AS driver_id, unnest(@seqs::int[]) AS seq,
        unnest(@arrives_ats::timestamptz[]) AS arrives_at, unnest(@starts_ats::timestamptz[]) AS starts_at,
        unnest(@leaves_ats::timestamptz[]) AS leaves_at, unnest(@slack_seconds::int[]) AS slack_seconds,
        unnest(@late_seconds::int[]) AS late_seconds, unnest(@etas::timestamptz[]) AS eta, unnest(@driving_seconds::int[]) AS driving_seconds,
        unnest(@setup_seconds::int[]) AS setup_seconds, unnest(@joineds::boolean[]) AS joined,
        unnest(@meters::int[]) AS meters, unnest(@latitudes::float8[]) AS latitude,
        unnest(@longitudes::float8[]) AS longitude, unnest(@guesseds::boolean[]) AS guessed,
        unnest(@meters_from_roads::bigint[]) AS meters_from_road, unnest(@curbsides::boolean[]) AS curbside
) x
ORDER BY x.order_id, x.kind
ON CONFLICT (org_id, order_id, kind) DO UPDATE SET plan_id = excluded.plan_id, driver_id = excluded.driver_id,
    seq = excluded.seq, arrives_at = excluded.arrives_at, starts_at = excluded.starts_at, leaves_at = excluded.leaves_at,
    slack_seconds = excluded.slack_seconds, late_seconds = excluded.late_seconds, eta = excluded.eta, driving_seconds = excluded.driving_seconds,
    setup_seconds = excluded.setup_seconds, joined = excluded.joined,
    meters = excluded.meters, latitude = excluded.latitude, longitude = excluded.longitude, guessed = excluded.guessed,
    meters_from_road = excluded.meters_from_road, curbside = excluded.curbside,
    version = CASE WHEN s.plan_id = excluded.plan_id AND s.driver_id = excluded.driver_id THEN s.version
        ELSE excluded.version END;

-- name: TellByPlan :exec
-- Records the plan's announced ETAs among those from the road.
UPDATE live_etas e SET told = x.eta, updated_at = now()
FROM (SELECT unnest(@order_ids::bigint[]) AS order_id, unnest(@kinds::text[]) AS kind,
    unnest(@driver_ids::bigint[]) AS driver_id, unnest(@etas::timestamptz[]) AS eta) x
WHERE e.org_id = @org_id AND e.order_id = x.order_id AND e.kind = x.kind AND e.driver_id = x.driver_id
  AND e.told IS DISTINCT FROM x.eta;

-- name: DeletePlanRoutes :exec
DELETE FROM plan_routes WHERE org_id = @org_id AND plan_id = @plan_id AND driver_id = ANY (@driver_ids::bigint[]);

-- name: PutUnplanned :exec
-- Stores why orders are unplanned. Counterfactuals are computed again.
INSERT INTO plan_unplanned AS u (org_id, order_id, plan_id, state, certainty, searched_ms, reasons)
SELECT @org_id, x.order_id, @plan_id, x.state, x.certainty, x.searched_ms, x.reasons::jsonb
FROM (
    SELECT unnest(@order_ids::bigint[]) AS order_id, unnest(@states::text[]) AS state,
        unnest(@certainties::text[]) AS certainty, unnest(@searched_ms::int[]) AS searched_ms,
        unnest(@reasons::text[]) AS reasons
) x
ORDER BY x.order_id
ON CONFLICT (org_id, order_id) DO UPDATE SET plan_id = excluded.plan_id, state = excluded.state,
    certainty = excluded.certainty, searched_ms = excluded.searched_ms, reasons = excluded.reasons,
    counterfactuals = NULL, help_drivers = NULL, help_until = NULL, updated_at = now();

-- name: ForgetCounterfactuals :exec
-- Deletes counterfactuals of orders: all, those proved by a route of these drivers, or
-- those of these orders. Those proved before routes were recorded are deleted as well.
UPDATE plan_unplanned SET counterfactuals = NULL, help_drivers = NULL, help_until = NULL, updated_at = now()
WHERE org_id = @org_id AND plan_id = @plan_id AND counterfactuals IS NOT NULL
  AND (@every::boolean OR help_drivers IS NULL OR help_drivers && @driver_ids::bigint[] OR order_id = ANY (@order_ids::bigint[]));

-- name: SaveHelps :exec
-- Saves the counterfactuals of unplanned orders, with the routes that prove
-- them, and their expiry.
UPDATE plan_unplanned u SET counterfactuals = x.helps::jsonb, help_drivers = x.drivers::bigint[],
    help_until = nullif(x.until, '0001-01-01 00:00:00+00'), updated_at = now()
FROM (SELECT unnest(@order_ids::bigint[]) AS order_id, unnest(@helps::text[]) AS helps,
    unnest(@drivers::text[]) AS drivers, unnest(@untils::timestamptz[]) AS until) x
WHERE u.org_id = @org_id AND u.order_id = x.order_id AND u.plan_id = @plan_id;

-- name: DeleteUnplanned :exec
DELETE FROM plan_unplanned u USING (SELECT unnest(@order_ids::bigint[]) AS id) k
WHERE u.org_id = @org_id AND u.order_id = k.id AND u.plan_id = @plan_id;

-- name: PlanOrders :exec
-- Assigns orders to drivers or removes them. Planning is no edit: the times of
-- change stay.
UPDATE orders o SET driver_id = nullif(x.driver_id, 0), status_id = x.status_id, planned_seconds = nullif(x.seconds, 0)
FROM (
    SELECT unnest(@ids::bigint[]) AS id, unnest(@driver_ids::bigint[]) AS driver_id,
        unnest(@status_ids::smallint[]) AS status_id, unnest(@seconds::int[]) AS seconds
) x
WHERE o.org_id = @org_id AND o.id = x.id;

-- name: LogPlanned :exec
-- Appends the changes that planning made to orders. All products of an order
-- change with its status, and none with a new driver or ETA.
INSERT INTO events (org_id, kind, subject_type, subject_id, order_id, external_id, order_status_id, driver_id, product_ids,
    data, occurred_at)
SELECT @org_id, x.kind, 'order', x.order_id, x.order_id, x.number, x.status_id, nullif(x.driver_id, 0),
    CASE WHEN x.restated THEN NULL ELSE '{}'::bigint[] END, nullif(x.data, '')::jsonb, clock_timestamp()
FROM (
    SELECT unnest(@kinds::text[]) AS kind, unnest(@order_ids::bigint[]) AS order_id, unnest(@numbers::text[]) AS number,
        unnest(@status_ids::smallint[]) AS status_id, unnest(@driver_ids::bigint[]) AS driver_id,
        unnest(@restateds::boolean[]) AS restated, unnest(@datas::text[]) AS data, unnest(@seqs::int[]) AS seq
) x
ORDER BY x.seq;

-- name: PlansOfOrders :many
-- The areas and days whose plans orders affect: those that the orders belong
-- to, and those that still contain them. Orders that were planned or unplanned
-- count only if they differ from their plan, because somebody else changed
-- them. Returns none without drivers.
WITH concerned AS (
    SELECT k.id FROM (SELECT unnest(@order_ids::bigint[]) AS id) k
    UNION
    SELECT o.id FROM (SELECT unnest(@planned_ids::bigint[]) AS id) k
    CROSS JOIN LATERAL (SELECT x.id, x.status_id, x.driver_id FROM orders x
        WHERE x.org_id = @org_id AND x.id = k.id OFFSET 0) o
    WHERE CASE o.status_id
        WHEN 2 THEN NOT EXISTS (SELECT FROM plan_stops s
            WHERE s.org_id = @org_id AND s.order_id = o.id AND s.driver_id = o.driver_id)
        WHEN 1 THEN EXISTS (SELECT FROM plan_stops s WHERE s.org_id = @org_id AND s.order_id = o.id)
        ELSE false END
)
SELECT a.department_id::bigint AS department_id, a.day::date AS day
FROM (SELECT WHERE EXISTS (SELECT FROM drivers d WHERE d.org_id = @org_id AND d.is_active)) g
CROSS JOIN LATERAL (
    SELECT coalesce(o.department_id, 0) AS department_id, o.date AS day
    FROM concerned k
    CROSS JOIN LATERAL (SELECT x.department_id, x.date FROM orders x WHERE x.org_id = @org_id AND x.id = k.id OFFSET 0) o
    UNION
    SELECT coalesce(p.department_id, 0), p.day
    FROM concerned k
    CROSS JOIN LATERAL (SELECT x.plan_id FROM plan_stops x WHERE x.org_id = @org_id AND x.order_id = k.id OFFSET 0) s
    JOIN plans p ON p.org_id = @org_id AND p.id = s.plan_id
    UNION
    SELECT coalesce(p.department_id, 0), p.day
    FROM concerned k
    CROSS JOIN LATERAL (SELECT x.plan_id FROM plan_unplanned x WHERE x.org_id = @org_id AND x.order_id = k.id OFFSET 0) s
    JOIN plans p ON p.org_id = @org_id AND p.id = s.plan_id
) a
WHERE a.day >= @since::date
ORDER BY 2, 1;

-- name: PlansOfFleet :many
-- The areas and days that have anything to plan, after a change of the fleet.
SELECT a.department_id::bigint AS department_id, a.day::date AS day
FROM (SELECT WHERE EXISTS (SELECT FROM drivers d WHERE d.org_id = @org_id)) g
CROSS JOIN LATERAL (
    SELECT DISTINCT coalesce(o.department_id, 0) AS department_id, o.date AS day FROM orders o
    WHERE o.org_id = @org_id AND o.status_id <= 5 AND o.date BETWEEN @since::date AND @until::date
    UNION
    SELECT coalesce(p.department_id, 0), p.day FROM plans p
    WHERE p.org_id = @org_id AND p.day BETWEEN @since::date AND @until::date
) a
ORDER BY 2, 1;

-- name: PlansOfChanges :many
-- The areas and days that changes of single drivers, locations and customers
-- affect, and those of routes that deviate from the plan. A change of a driver
-- or a customer that planning does not read affects none.
WITH news AS (
    SELECT e.kind, e.subject_id, e.driver_id, e.data,
        CASE e.kind WHEN 'exception.opened' THEN e.external_id::date END AS day
    FROM (SELECT unnest(@ids::bigint[]) AS id, unnest(@times::timestamptz[]) AS at) k
    JOIN events e ON e.org_id = @org_id AND e.id = k.id AND e.recorded_at = k.at
), who AS (
    SELECT d.id, coalesce(d.department_id, 0) AS department_id FROM news n
    JOIN drivers d ON d.org_id = @org_id AND d.id = n.subject_id
    WHERE n.kind = 'driver.updated'
      AND NOT coalesce(n.data->'changed' <@ '["externalId", "name", "phoneNumber", "emailAddress"]', false)
), places AS (
    SELECT n.subject_id AS id FROM news n WHERE n.kind = 'location.updated'
), keepers AS (
    SELECT n.subject_id AS id FROM news n WHERE n.kind = 'customer.updated' AND n.data->'changed' ? 'calendar_id'
), open AS (
    SELECT DISTINCT coalesce(o.department_id, 0) AS department_id, o.date AS day FROM orders o
    WHERE o.org_id = @org_id AND o.status_id <= 5 AND o.date BETWEEN @since::date AND @until::date
      AND EXISTS (SELECT FROM who UNION ALL SELECT FROM places)
)
SELECT a.department_id::bigint AS department_id, a.day::date AS day FROM (
    SELECT coalesce(p.department_id, 0) AS department_id, p.day FROM news n
    JOIN plans p ON p.org_id = @org_id AND p.day = n.day AND p.day >= @since::date
    WHERE EXISTS (SELECT FROM plan_routes r WHERE r.org_id = @org_id AND r.plan_id = p.id AND r.driver_id = n.driver_id)
    UNION
    SELECT coalesce(p.department_id, 0), p.day FROM plans p
    WHERE p.org_id = @org_id AND p.day BETWEEN @since::date AND @until::date
      AND EXISTS (SELECT FROM plan_routes r JOIN who w ON w.id IN (r.driver_id, r.co_driver_id) WHERE r.org_id = @org_id AND r.plan_id = p.id)
    UNION
    SELECT o.department_id, o.day FROM open o JOIN who w ON w.department_id = o.department_id
    UNION
    SELECT coalesce(o.department_id, 0), o.date FROM places l
    JOIN order_stops s ON s.org_id = @org_id AND s.location_id = l.id
    JOIN orders o ON o.org_id = @org_id AND o.id = s.order_id AND o.status_id <= 5 AND o.date BETWEEN @since::date AND @until::date
    UNION
    SELECT coalesce(o.department_id, 0), o.date FROM orders o
    WHERE o.org_id = @org_id AND o.status_id <= 5 AND o.date BETWEEN @since::date AND @until::date
      AND o.customer_id IN (SELECT k.id FROM keepers k)
    UNION
    SELECT o.department_id, o.day FROM open o
    WHERE EXISTS (SELECT FROM places l JOIN drivers d ON d.org_id = @org_id AND l.id IN (d.start_location_id, d.end_location_id))
       OR EXISTS (SELECT FROM places l JOIN vehicles v ON v.org_id = @org_id AND v.home_location_id = l.id)
       OR EXISTS (SELECT FROM places l JOIN driver_workdays w ON w.org_id = @org_id AND (l.id IN (w.start_location_id, w.end_location_id)
            OR l.id = ANY (w.break_location_ids)) AND w.date = o.day)
       OR EXISTS (SELECT FROM places l JOIN driver_workday_rules r ON r.org_id = @org_id AND l.id = ANY (r.break_location_ids))
) a
ORDER BY 2, 1;
