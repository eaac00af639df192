-- name: ListDrivers :many
SELECT count(*) OVER () AS total, sqlc.embed(drivers)
FROM drivers
WHERE org_id = @org_id AND (sqlc.narg('is_active')::boolean IS NULL OR is_active = sqlc.narg('is_active')::boolean)
  AND (sqlc.narg('external_id')::text IS NULL OR external_id = sqlc.narg('external_id')::text)
ORDER BY id
LIMIT @page_size::int OFFSET @skip::int;

-- name: ReadDriver :one
SELECT org_id, id, name, phone_number, is_active, external_id, email_address, created_at, updated_at, department_id,
    vehicle_id, start_location_id, end_location_id, preferences, driving_factor, visit_factor
FROM drivers WHERE org_id = @org_id AND id = @id;

-- name: LockDriver :one
-- Locks a driver until the end of the transaction.
SELECT org_id, id, name, phone_number, is_active, external_id, email_address, created_at, updated_at, department_id,
    vehicle_id, start_location_id, end_location_id, preferences, driving_factor, visit_factor
FROM drivers WHERE org_id = @org_id AND id = @id FOR UPDATE;

-- name: CreateDriver :one
INSERT INTO drivers (org_id, external_id, name, phone_number, email_address, department_id, vehicle_id,
    start_location_id, end_location_id, preferences, driving_factor, visit_factor)
VALUES (@org_id, sqlc.narg('external_id'), @name, sqlc.narg('phone_number'), sqlc.narg('email_address'),
    sqlc.narg('department_id'), sqlc.narg('vehicle_id'), sqlc.narg('start_location_id'), sqlc.narg('end_location_id'),
    nullif(@preferences::text, '{}')::jsonb, nullif(@driving_factor::float8, 0), nullif(@visit_factor::float8, 0))
RETURNING org_id, id, name, phone_number, is_active, external_id, email_address, created_at, updated_at, department_id,
    vehicle_id, start_location_id, end_location_id, preferences, driving_factor, visit_factor;

-- name: UpdateDriver :one
UPDATE drivers SET external_id = sqlc.narg('external_id'), name = @name, phone_number = sqlc.narg('phone_number'),
    email_address = sqlc.narg('email_address'), is_active = @is_active, department_id = sqlc.narg('department_id'),
    vehicle_id = sqlc.narg('vehicle_id'), start_location_id = sqlc.narg('start_location_id'),
    end_location_id = sqlc.narg('end_location_id'), preferences = nullif(@preferences::text, '{}')::jsonb,
    driving_factor = nullif(@driving_factor::float8, 0), visit_factor = nullif(@visit_factor::float8, 0), updated_at = now()
WHERE org_id = @org_id AND id = @id
RETURNING org_id, id, name, phone_number, is_active, external_id, email_address, created_at, updated_at, department_id,
    vehicle_id, start_location_id, end_location_id, preferences, driving_factor, visit_factor;

-- name: ActiveOrdersOfDriver :one
-- How many orders a driver has begun with and not carried out.
SELECT count(*) FROM orders WHERE org_id = @org_id AND driver_id = @driver_id::bigint AND status_id BETWEEN 3 AND 5;

-- name: SkillsOfDrivers :many
SELECT d.driver_id, s.name FROM driver_skills d JOIN skills s ON s.org_id = d.org_id AND s.id = d.skill_id
WHERE d.org_id = @org_id AND d.driver_id = ANY (@driver_ids::bigint[])
ORDER BY d.driver_id, lower(s.name);

-- name: FindSkills :many
-- The active skills with these names, ignoring case, and those that the
-- driver already has.
SELECT s.id, s.name FROM skills s
WHERE s.org_id = @org_id AND lower(s.name) IN (SELECT lower(n) FROM unnest(@names::text[]) n)
  AND (s.is_active OR EXISTS (
    SELECT FROM driver_skills d WHERE d.org_id = s.org_id AND d.skill_id = s.id AND d.driver_id = @driver_id));

-- name: SetDriverSkills :exec
-- Makes the skills of a driver these.
WITH removed AS (
    DELETE FROM driver_skills t
    WHERE t.org_id = @org_id AND t.driver_id = @driver_id AND NOT t.skill_id = ANY (@skill_ids::bigint[])
)
INSERT INTO driver_skills (org_id, driver_id, skill_id)
SELECT @org_id, @driver_id, unnest(@skill_ids::bigint[]) ON CONFLICT DO NOTHING;

-- name: UnknownReferences :many
-- Which of these don't exist, or are inactive, by kind and id. Places are locations that have no position.
SELECT 'department'::text AS kind, x.id::bigint AS id FROM unnest(@departments::bigint[]) x(id)
WHERE NOT EXISTS (SELECT FROM departments t WHERE t.org_id = @org_id AND t.id = x.id)
UNION ALL
SELECT 'vehicle', x.id FROM unnest(@vehicles::bigint[]) x(id)
WHERE NOT EXISTS (SELECT FROM vehicles t WHERE t.org_id = @org_id AND t.id = x.id AND t.is_active)
UNION ALL
SELECT 'location', x.id FROM unnest(@locations::bigint[]) x(id)
WHERE NOT EXISTS (SELECT FROM locations t WHERE t.org_id = @org_id AND t.id = x.id AND t.deleted_at IS NULL)
UNION ALL
SELECT 'place', x.id FROM unnest(@places::bigint[]) x(id)
WHERE EXISTS (SELECT FROM locations t WHERE t.org_id = @org_id AND t.id = x.id AND t.deleted_at IS NULL
    AND coalesce(t.latitude, (t.position ->> 'latitude')::float8) IS NULL)
UNION ALL
SELECT 'customer', x.id FROM unnest(@customers::bigint[]) x(id)
WHERE NOT EXISTS (SELECT FROM customers t WHERE t.org_id = @org_id AND t.id = x.id AND t.is_active);

-- name: ListWorkdays :many
SELECT date, works, starts, ends, break_minutes, break_earliest, break_latest,
    coalesce(more_breaks::text, '')::text AS more_breaks, coalesce(break_location_ids, '{}')::bigint[] AS break_location_ids,
    vehicle_id, start_location_id, end_location_id, coalesce(max_stops, 0)::int AS max_stops,
    coalesce(max_driving_minutes, 0)::int AS max_driving_minutes, coalesce(co_driver_id, 0)::bigint AS co_driver_id,
    (shares_driving AND co_driver_id IS NOT NULL)::boolean AS shares_driving
FROM driver_workdays
WHERE org_id = @org_id AND driver_id = @driver_id AND date BETWEEN @start_date::date AND @end_date::date
ORDER BY date;

-- name: ListWorkdayRules :many
SELECT rrule, starts, ends, break_minutes, break_earliest, break_latest, coalesce(more_breaks::text, '')::text AS more_breaks,
    coalesce(break_location_ids, '{}')::bigint[] AS break_location_ids
FROM driver_workday_rules WHERE org_id = @org_id AND driver_id = @driver_id ORDER BY seq;

-- name: CalendarOfDriver :one
-- The calendar that the department of a driver keeps, 0 for none, with all calendars.
SELECT coalesce((SELECT y.calendar_id FROM drivers d JOIN departments y ON y.org_id = d.org_id AND y.id = d.department_id
    WHERE d.org_id = @org_id AND d.id = @driver_id), 0)::bigint AS calendar_id, calendars_of(@org_id)::jsonb AS calendars;

-- name: DeleteWorkdays :exec
DELETE FROM driver_workdays
WHERE org_id = @org_id AND driver_id = @driver_id AND date BETWEEN @start_date::date AND @end_date::date;

-- name: InsertWorkdays :exec
-- Vehicles and locations of 0 are the driver's own, and limits and co-drivers of 0 none.
INSERT INTO driver_workdays (org_id, driver_id, date, works, starts, ends, break_minutes, break_earliest, break_latest,
    vehicle_id, start_location_id, end_location_id, max_stops, max_driving_minutes, more_breaks, break_location_ids,
    co_driver_id, shares_driving)
SELECT @org_id, @driver_id, x.date, x.works, x.starts, x.ends, x.break_minutes, x.break_earliest, x.break_latest,
    nullif(x.vehicle_id, 0), nullif(x.start_location_id, 0), nullif(x.end_location_id, 0),
    nullif(x.max_stops, 0), nullif(x.max_driving_minutes, 0), nullif(x.more_breaks, '')::jsonb,
    nullif(x.break_location_ids, '')::bigint[], nullif(x.co_driver_id, 0), x.shares_driving
FROM (SELECT unnest(@dates::date[]) AS date, unnest(@works::boolean[]) AS works, unnest(@starts::smallint[]) AS starts,
    unnest(@ends::smallint[]) AS ends, unnest(@break_minutes::smallint[]) AS break_minutes,
    unnest(@break_earliests::smallint[]) AS break_earliest, unnest(@break_latests::smallint[]) AS break_latest,
    unnest(@vehicle_ids::bigint[]) AS vehicle_id, unnest(@start_location_ids::bigint[]) AS start_location_id,
    unnest(@end_location_ids::bigint[]) AS end_location_id, unnest(@max_stops::int[]) AS max_stops,
    unnest(@max_driving_minutes::int[]) AS max_driving_minutes, unnest(@more_breaks::text[]) AS more_breaks,
    unnest(@break_location_ids::text[]) AS break_location_ids,
    unnest(@co_driver_ids::bigint[]) AS co_driver_id, unnest(@shares_driving::boolean[]) AS shares_driving) x;

-- name: LockColleagues :many
-- Drivers, locked by id until the end of the transaction, so that nobody makes other crews of them meanwhile.
SELECT d.id, coalesce(d.department_id, 0)::bigint AS department_id, d.is_active
FROM drivers d WHERE d.org_id = @org_id AND d.id = ANY (@ids::bigint[]) ORDER BY d.id FOR UPDATE;

-- name: RidesOfDrivers :many
-- The days of a range on which any of these drivers has a co-driver or is one, without those of one driver's own entries.
SELECT w.date, w.driver_id, w.co_driver_id::bigint AS co_driver_id FROM driver_workdays w
WHERE w.org_id = @org_id AND w.co_driver_id IS NOT NULL AND w.works AND w.driver_id <> @but::bigint
  AND (w.driver_id = ANY (@ids::bigint[]) OR w.co_driver_id = ANY (@ids::bigint[]))
  AND w.date BETWEEN @start_date::date AND @end_date::date
ORDER BY w.date, w.driver_id;

-- name: LeaveCrews :many
-- Takes a driver off all crews from a day on, and returns the drivers who are alone then.
WITH alone AS (
    UPDATE driver_workdays w SET co_driver_id = NULL, shares_driving = false
    WHERE w.org_id = @org_id AND w.co_driver_id = @driver_id::bigint AND w.date >= @start_date::date
    RETURNING w.driver_id
)
SELECT DISTINCT a.driver_id FROM alone a ORDER BY 1;
