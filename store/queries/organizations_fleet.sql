-- The fleet sections of a document: which types of vehicle also serve others,
-- vehicles, and drivers with their skills, days and prohibitions. Names are
-- resolved to ids before, so that unknown ones can be reported with their line.

-- name: NamedForFleet :many
-- All that these sections may speak of, or are matched by.
SELECT 'vehicleType'::text AS kind, t.id, t.name FROM vehicle_types t WHERE t.org_id = @org_id AND t.is_active
UNION ALL SELECT 'skill', s.id, s.name FROM skills s WHERE s.org_id = @org_id AND s.is_active
UNION ALL SELECT 'department', d.id, d.name FROM departments d WHERE d.org_id = @org_id
UNION ALL SELECT 'vehicle', v.id, v.registration FROM vehicles v WHERE v.org_id = @org_id AND v.is_active
UNION ALL SELECT 'customer', c.id, c.external_id FROM customers c
    WHERE c.org_id = @org_id AND c.is_active AND c.external_id = ANY (@customers::text[])
UNION ALL SELECT 'location', l.id, l.external_id FROM locations l
    WHERE l.org_id = @org_id AND l.deleted_at IS NULL AND l.external_id = ANY (@locations::text[]);

-- name: ApplyAlsoServes :many
-- Sets which types these types of vehicle also serve, and returns the types
-- that changed.
WITH wanted AS (
    SELECT unnest(@vehicle_type_ids::bigint[]) AS vehicle_type_id, unnest(@served_type_ids::bigint[]) AS served_type_id
), removed AS (
    DELETE FROM vehicle_type_also_serves t
    WHERE t.org_id = @org_id AND t.vehicle_type_id = ANY (@all_ids::bigint[])
      AND NOT EXISTS (SELECT FROM wanted w
        WHERE (w.vehicle_type_id, w.served_type_id) = (t.vehicle_type_id, t.served_type_id))
    RETURNING t.vehicle_type_id
), added AS (
    INSERT INTO vehicle_type_also_serves AS t (org_id, vehicle_type_id, served_type_id)
    SELECT DISTINCT @org_id::bigint, w.vehicle_type_id, w.served_type_id FROM wanted w
    ON CONFLICT DO NOTHING RETURNING t.vehicle_type_id
)
SELECT r.vehicle_type_id FROM removed r UNION SELECT a.vehicle_type_id FROM added a;

-- name: ApplyVehicles :many
-- Returns the vehicles that were created or updated. A limit of NaN, an empty
-- name and a location of 0 mean none.
WITH wanted AS (
    SELECT x.registration, nullif(x.name, '') AS name, x.vehicle_type_id,
        nullif(x.max_weight_kg, 'NaN')::numeric AS max_weight_kg,
        nullif(x.max_volume_m3, 'NaN')::numeric AS max_volume_m3,
        nullif(x.max_route_km, 'NaN')::numeric AS max_route_km, nullif(x.home_location_id, 0) AS home_location_id,
        nullif(x.max_loads, '')::jsonb AS max_loads
    FROM (SELECT unnest(@registrations::text[]) AS registration, unnest(@names::text[]) AS name,
        unnest(@vehicle_type_ids::bigint[]) AS vehicle_type_id, unnest(@max_weights_kg::float8[]) AS max_weight_kg,
        unnest(@max_volumes_m3::float8[]) AS max_volume_m3, unnest(@max_routes_km::float8[]) AS max_route_km,
        unnest(@home_location_ids::bigint[]) AS home_location_id, unnest(@max_loads::text[]) AS max_loads) x
), updated AS (
    UPDATE vehicles t SET registration = w.registration, name = w.name, vehicle_type_id = w.vehicle_type_id,
        max_weight_kg = w.max_weight_kg, max_volume_m3 = w.max_volume_m3, max_route_km = w.max_route_km,
        home_location_id = w.home_location_id, max_loads = w.max_loads, is_active = true, updated_at = now(), source = 'document'
    FROM wanted w
    WHERE t.org_id = @org_id AND lower(t.registration) = lower(w.registration)
      AND (t.registration, t.name, t.vehicle_type_id, t.max_weight_kg, t.max_volume_m3, t.max_route_km,
            t.home_location_id, t.max_loads, t.is_active, t.source)
        IS DISTINCT FROM (w.registration, w.name, w.vehicle_type_id, w.max_weight_kg, w.max_volume_m3, w.max_route_km,
            w.home_location_id, w.max_loads, true, 'document')
    RETURNING t.id
), created AS (
    INSERT INTO vehicles (org_id, registration, name, vehicle_type_id, max_weight_kg, max_volume_m3, max_route_km,
        home_location_id, max_loads, source)
    SELECT @org_id, w.registration, w.name, w.vehicle_type_id, w.max_weight_kg, w.max_volume_m3, w.max_route_km,
        w.home_location_id, w.max_loads, 'document'
    FROM wanted w
    WHERE NOT EXISTS (SELECT FROM vehicles t WHERE t.org_id = @org_id AND lower(t.registration) = lower(w.registration))
    RETURNING id
)
SELECT c.id, true AS created FROM created c UNION ALL SELECT u.id, false FROM updated u;

-- name: ApplyVehicleSkills :many
WITH wanted AS (
    SELECT unnest(@vehicle_ids::bigint[]) AS vehicle_id, unnest(@skill_ids::bigint[]) AS skill_id
), removed AS (
    DELETE FROM vehicle_skills t
    WHERE t.org_id = @org_id AND t.vehicle_id = ANY (@all_ids::bigint[])
      AND NOT EXISTS (SELECT FROM wanted w WHERE (w.vehicle_id, w.skill_id) = (t.vehicle_id, t.skill_id))
    RETURNING t.vehicle_id
), added AS (
    INSERT INTO vehicle_skills AS t (org_id, vehicle_id, skill_id)
    SELECT DISTINCT @org_id::bigint, w.vehicle_id, w.skill_id FROM wanted w
    ON CONFLICT DO NOTHING RETURNING t.vehicle_id
)
SELECT r.vehicle_id FROM removed r UNION SELECT a.vehicle_id FROM added a;

-- name: PruneVehicles :one
-- A vehicle that drivers have or had is deactivated. Returns those that were
-- removed.
WITH doomed AS (
    SELECT t.id, t.is_active,
        EXISTS (SELECT FROM drivers d WHERE d.org_id = t.org_id AND d.vehicle_id = t.id)
        OR EXISTS (SELECT FROM driver_workdays w WHERE w.org_id = t.org_id AND w.vehicle_id = t.id) AS used
    FROM vehicles t
    WHERE t.org_id = @org_id AND t.source = 'document'
        AND NOT lower(t.registration) IN (SELECT lower(k.r) FROM (SELECT unnest(@registrations::text[]) AS r) k)
)
SELECT prune('vehicles', @org_id, array_agg(d.id) FILTER (WHERE NOT d.used),
        array_agg(d.id) FILTER (WHERE d.used))::bigint AS removed,
    coalesce(array_agg(d.id ORDER BY d.id) FILTER (WHERE NOT d.used OR d.is_active), '{}')::bigint[] AS ids
FROM doomed d;

-- name: ApplyDrivers :many
-- Drivers without an external id are identified by their name. Returns those
-- that were created or updated. A department, vehicle or location of 0 means
-- none. Factors of 0 stay as they are, because they may be learned; 1 is none.
WITH wanted AS (
    SELECT nullif(x.external_id, '') AS external_id, x.name, nullif(x.phone_number, '') AS phone_number,
        nullif(x.email_address, '') AS email_address, nullif(x.department_id, 0) AS department_id,
        nullif(x.vehicle_id, 0) AS vehicle_id, nullif(x.start_location_id, 0) AS start_location_id,
        nullif(x.end_location_id, 0) AS end_location_id, x.driving_factor, x.visit_factor
    FROM (SELECT unnest(@external_ids::text[]) AS external_id, unnest(@names::text[]) AS name,
        unnest(@phone_numbers::text[]) AS phone_number, unnest(@email_addresses::text[]) AS email_address,
        unnest(@department_ids::bigint[]) AS department_id, unnest(@vehicle_ids::bigint[]) AS vehicle_id,
        unnest(@start_location_ids::bigint[]) AS start_location_id,
        unnest(@end_location_ids::bigint[]) AS end_location_id, unnest(@driving_factors::float8[]) AS driving_factor,
        unnest(@visit_factors::float8[]) AS visit_factor) x
), known AS (
    SELECT w.*, (
        SELECT min(t.id) FROM drivers t WHERE t.org_id = @org_id AND CASE WHEN w.external_id IS NULL
            THEN t.external_id IS NULL AND lower(t.name) = lower(w.name) ELSE t.external_id = w.external_id END
    ) AS id
    FROM wanted w
), updated AS (
    UPDATE drivers t SET name = k.name, phone_number = k.phone_number, email_address = k.email_address,
        department_id = k.department_id, vehicle_id = k.vehicle_id, start_location_id = k.start_location_id,
        end_location_id = k.end_location_id, driving_factor = CASE k.driving_factor WHEN 0 THEN t.driving_factor ELSE nullif(k.driving_factor, 1) END,
        visit_factor = CASE k.visit_factor WHEN 0 THEN t.visit_factor ELSE nullif(k.visit_factor, 1) END, is_active = true, updated_at = now(), source = 'document'
    FROM known k
    WHERE t.org_id = @org_id AND t.id = k.id
      AND (t.name, t.phone_number, t.email_address, t.department_id, t.vehicle_id, t.start_location_id,
            t.end_location_id, t.driving_factor, t.visit_factor, t.is_active, t.source)
        IS DISTINCT FROM (k.name, k.phone_number, k.email_address, k.department_id, k.vehicle_id, k.start_location_id,
            k.end_location_id, CASE k.driving_factor WHEN 0 THEN t.driving_factor ELSE nullif(k.driving_factor, 1) END,
            CASE k.visit_factor WHEN 0 THEN t.visit_factor ELSE nullif(k.visit_factor, 1) END, true, 'document')
    RETURNING t.id
), created AS (
    INSERT INTO drivers (org_id, external_id, name, phone_number, email_address, department_id, vehicle_id,
        start_location_id, end_location_id, driving_factor, visit_factor, source)
    SELECT @org_id, k.external_id, k.name, k.phone_number, k.email_address, k.department_id, k.vehicle_id,
        k.start_location_id, k.end_location_id, nullif(nullif(k.driving_factor, 0), 1), nullif(nullif(k.visit_factor, 0), 1),
        'document'
    FROM known k WHERE k.id IS NULL
    RETURNING id
)
SELECT c.id, true AS created FROM created c UNION ALL SELECT u.id, false FROM updated u;

-- name: DriversOfDocument :many
-- The ids of the drivers of a document, in its order.
SELECT (
    SELECT min(t.id) FROM drivers t WHERE t.org_id = @org_id AND CASE WHEN x.external_id = ''
        THEN t.external_id IS NULL AND lower(t.name) = lower(x.name) ELSE t.external_id = x.external_id END
)::bigint AS id
FROM (SELECT row_number() OVER () AS n, g.external_id, g.name
    FROM (SELECT unnest(@external_ids::text[]) AS external_id, unnest(@names::text[]) AS name) g) x
ORDER BY x.n;

-- name: ApplyDriverSkills :many
WITH wanted AS (
    SELECT unnest(@driver_ids::bigint[]) AS driver_id, unnest(@skill_ids::bigint[]) AS skill_id
), removed AS (
    DELETE FROM driver_skills t
    WHERE t.org_id = @org_id AND t.driver_id = ANY (@all_ids::bigint[])
      AND NOT EXISTS (SELECT FROM wanted w WHERE (w.driver_id, w.skill_id) = (t.driver_id, t.skill_id))
    RETURNING t.driver_id
), added AS (
    INSERT INTO driver_skills AS t (org_id, driver_id, skill_id)
    SELECT DISTINCT @org_id::bigint, w.driver_id, w.skill_id FROM wanted w
    ON CONFLICT DO NOTHING RETURNING t.driver_id
)
SELECT r.driver_id FROM removed r UNION SELECT a.driver_id FROM added a;

-- name: ApplyDriverPreferences :many
-- Sets whom and where drivers should serve, and returns the drivers that changed; an empty object is no preference.
UPDATE drivers t SET preferences = nullif(w.preferences, '{}'), updated_at = now()
FROM (SELECT unnest(@driver_ids::bigint[]) AS driver_id, unnest(@preferences::text[])::jsonb AS preferences) w
WHERE t.org_id = @org_id AND t.id = w.driver_id AND t.preferences IS DISTINCT FROM nullif(w.preferences, '{}')
RETURNING t.id;

-- name: ApplyProhibitedCustomers :many
WITH wanted AS (
    SELECT unnest(@driver_ids::bigint[]) AS driver_id, unnest(@customer_ids::bigint[]) AS customer_id
), removed AS (
    DELETE FROM customer_prohibited_drivers t
    WHERE t.org_id = @org_id AND t.driver_id = ANY (@all_ids::bigint[])
      AND NOT EXISTS (SELECT FROM wanted w WHERE (w.driver_id, w.customer_id) = (t.driver_id, t.customer_id))
    RETURNING t.driver_id
), added AS (
    INSERT INTO customer_prohibited_drivers AS t (org_id, driver_id, customer_id)
    SELECT DISTINCT @org_id::bigint, w.driver_id, w.customer_id FROM wanted w
    ON CONFLICT DO NOTHING RETURNING t.driver_id
)
SELECT r.driver_id FROM removed r UNION SELECT a.driver_id FROM added a;

-- name: ApplyProhibitedLocations :many
WITH wanted AS (
    SELECT unnest(@driver_ids::bigint[]) AS driver_id, unnest(@location_ids::bigint[]) AS location_id
), removed AS (
    DELETE FROM location_prohibited_drivers t
    WHERE t.org_id = @org_id AND t.driver_id = ANY (@all_ids::bigint[])
      AND NOT EXISTS (SELECT FROM wanted w WHERE (w.driver_id, w.location_id) = (t.driver_id, t.location_id))
    RETURNING t.driver_id
), added AS (
    INSERT INTO location_prohibited_drivers AS t (org_id, driver_id, location_id)
    SELECT DISTINCT @org_id::bigint, w.driver_id, w.location_id FROM wanted w
    ON CONFLICT DO NOTHING RETURNING t.driver_id
)
SELECT r.driver_id FROM removed r UNION SELECT a.driver_id FROM added a;

-- name: ApplyWorkdayRules :many
-- Sets the rules of drivers, and returns the drivers that changed.
WITH wanted AS (
    SELECT unnest(@driver_ids::bigint[]) AS driver_id, unnest(@seqs::smallint[]) AS seq,
        unnest(@rrules::text[]) AS rrule, unnest(@starts::smallint[]) AS starts, unnest(@ends::smallint[]) AS ends,
        unnest(@break_minutes::smallint[]) AS break_minutes, unnest(@break_earliests::smallint[]) AS break_earliest,
        unnest(@break_latests::smallint[]) AS break_latest, nullif(unnest(@more_breaks::text[]), '')::jsonb AS more_breaks,
        nullif(unnest(@break_location_ids::text[]), '')::bigint[] AS break_location_ids
), removed AS (
    DELETE FROM driver_workday_rules t
    WHERE t.org_id = @org_id AND t.driver_id = ANY (@all_ids::bigint[])
      AND NOT EXISTS (SELECT FROM wanted w WHERE (w.driver_id, w.seq) = (t.driver_id, t.seq))
    RETURNING t.driver_id
), written AS (
    INSERT INTO driver_workday_rules AS t (org_id, driver_id, seq, rrule, starts, ends, break_minutes, break_earliest,
        break_latest, more_breaks, break_location_ids)
    SELECT @org_id::bigint, w.driver_id, w.seq, w.rrule, w.starts, w.ends, w.break_minutes, w.break_earliest,
        w.break_latest, w.more_breaks, w.break_location_ids
    FROM wanted w
    ON CONFLICT (org_id, driver_id, seq) DO UPDATE SET rrule = excluded.rrule, starts = excluded.starts,
        ends = excluded.ends, break_minutes = excluded.break_minutes, break_earliest = excluded.break_earliest,
        break_latest = excluded.break_latest, more_breaks = excluded.more_breaks,
        break_location_ids = excluded.break_location_ids
    WHERE (t.rrule, t.starts, t.ends, t.break_minutes, t.break_earliest, t.break_latest, t.more_breaks,
            t.break_location_ids) IS DISTINCT FROM
        (excluded.rrule, excluded.starts, excluded.ends, excluded.break_minutes, excluded.break_earliest,
            excluded.break_latest, excluded.more_breaks, excluded.break_location_ids)
    RETURNING t.driver_id
)
SELECT r.driver_id FROM removed r UNION SELECT w.driver_id FROM written w;

-- name: PruneDrivers :one
-- Drivers that orders or users refer to are deactivated and lose their future
-- days. Returns the drivers that were removed.
WITH doomed AS (
    SELECT t.id, t.is_active,
        EXISTS (SELECT FROM orders o WHERE o.org_id = t.org_id AND o.driver_id = t.id)
        OR EXISTS (SELECT FROM order_driver_locks l WHERE l.org_id = t.org_id AND l.driver_id = t.id)
        OR EXISTS (SELECT FROM users u WHERE u.org_id = t.org_id AND u.driver_id = t.id)
        OR EXISTS (SELECT FROM sessions s WHERE s.org_id = t.org_id AND s.driver_id = t.id)
        OR EXISTS (SELECT FROM driver_actions a WHERE a.org_id = t.org_id AND a.driver_id = t.id)
        OR EXISTS (SELECT FROM exceptions x WHERE x.org_id = t.org_id AND x.driver_id = t.id)
        OR EXISTS (SELECT FROM alerts a WHERE a.org_id = t.org_id AND a.driver_id = t.id)
        OR EXISTS (SELECT FROM driver_messages m WHERE m.org_id = t.org_id AND m.driver_id = t.id)
        OR EXISTS (SELECT FROM cargo_carrier_movements m WHERE m.org_id = t.org_id AND m.driver_id = t.id)
        OR EXISTS (SELECT FROM account_codes c WHERE c.org_id = t.org_id AND c.driver_id = t.id) AS used
    FROM drivers t
    WHERE t.org_id = @org_id AND t.source = 'document'
      AND (t.external_id = ANY (@external_ids::text[])) IS NOT TRUE
      AND (t.external_id IS NULL
          AND lower(t.name) IN (SELECT lower(k.name) FROM (SELECT unnest(@names::text[]) AS name) k)) IS NOT TRUE
), idle AS (
    DELETE FROM driver_workdays w USING doomed d
    WHERE w.org_id = @org_id AND w.driver_id = d.id AND d.used AND w.date >= current_date
), alone AS (
    UPDATE driver_workdays w SET co_driver_id = NULL, shares_driving = false FROM doomed d
    WHERE w.org_id = @org_id AND w.co_driver_id = d.id AND d.used AND w.date >= current_date
      AND NOT EXISTS (SELECT FROM doomed e WHERE e.id = w.driver_id)
), unruled AS (
    DELETE FROM driver_workday_rules r USING doomed d
    WHERE r.org_id = @org_id AND r.driver_id = d.id AND d.used
)
SELECT prune('drivers', @org_id, array_agg(d.id) FILTER (WHERE NOT d.used),
        array_agg(d.id) FILTER (WHERE d.used))::bigint AS removed,
    coalesce(array_agg(d.id ORDER BY d.id) FILTER (WHERE NOT d.used OR d.is_active), '{}')::bigint[] AS ids
FROM doomed d;
