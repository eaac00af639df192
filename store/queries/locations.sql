-- name: ReadLocation :one
SELECT document::jsonb AS document FROM v1_locations WHERE org_id = @org_id AND id = @id;

-- name: LocationIDByExternalID :one
SELECT id FROM locations WHERE org_id = @org_id AND external_id = @external_id::text AND deleted_at IS NULL;

-- name: PageLocations :many
-- A page of locations by id, with their total number, counted up to count_to.
-- Builds documents only for the page.
WITH page AS MATERIALIZED (
    SELECT l.id FROM locations l
    WHERE l.org_id = @org_id AND l.deleted_at IS NULL
      AND (sqlc.narg('external_id')::text IS NULL OR l.external_id = sqlc.narg('external_id')::text)
    ORDER BY l.id
    LIMIT @page_size::int OFFSET @skip::int
), counted AS MATERIALIZED (
    SELECT count(*) AS total FROM (
        SELECT FROM locations l
        WHERE l.org_id = @org_id AND l.deleted_at IS NULL
          AND (sqlc.narg('external_id')::text IS NULL OR l.external_id = sqlc.narg('external_id')::text)
        ORDER BY l.id
        LIMIT @count_to::int) x
)
SELECT c.total, v.document::jsonb AS document
FROM counted c CROSS JOIN page p
CROSS JOIN LATERAL (SELECT d.document FROM v1_locations d WHERE d.org_id = @org_id AND d.id = p.id OFFSET 0) v
ORDER BY p.id;

-- name: SearchLocations :many
-- Locations that contain a text, at most most of them.
SELECT count(*) OVER () AS total, l.document::jsonb AS document
FROM find_locations(@term::text, @most::int) AS found (id)
JOIN v1_locations l ON l.org_id = @org_id AND l.id = found.id
  AND (sqlc.narg('external_id')::text IS NULL OR l.external_id = sqlc.narg('external_id')::text)
ORDER BY l.id
LIMIT @page_size::int OFFSET @skip::int;

-- name: LockLocation :one
-- Takes a location for this transaction, so that no template begins to use it
-- meanwhile, with all that it holds.
SELECT l.id, coalesce(l.external_id, '')::text AS external_id, l.name,
    coalesce(l.address1, '')::text AS address1, coalesce(l.address2, '')::text AS address2,
    coalesce(l.postal_code, '')::text AS postal_code, coalesce(l.city, '')::text AS city,
    coalesce(l.state, '')::text AS state, coalesce(l.country, '')::text AS country,
    l.latitude, l.longitude, l.opens, l.closes, l.use_opening_hours_as_default, l.estimated_time_on_location,
    coalesce(l.service_time::text, '')::text AS service_time, coalesce(l.pauses, 'null')::jsonb AS pauses, l.curbside,
    l.calendar_id
FROM locations l
WHERE l.org_id = @org_id AND l.id = @id AND l.deleted_at IS NULL
FOR UPDATE;

-- name: LocationTimeWindows :many
SELECT rrule, opens, closes FROM location_time_windows
WHERE org_id = @org_id AND location_id = @location_id ORDER BY seq;

-- name: CreateLocation :one
INSERT INTO locations (org_id, external_id, match_key, name, address1, address2, postal_code, city, state, country,
    latitude, longitude, opens, closes, use_opening_hours_as_default, estimated_time_on_location, service_time, pauses,
    curbside, calendar_id)
VALUES (@org_id, nullif(@external_id::text, ''), @match_key, @name, nullif(@address1::text, ''),
    nullif(@address2::text, ''), nullif(@postal_code::text, ''), nullif(@city::text, ''), nullif(@state::text, ''),
    nullif(@country::text, ''), @latitude, @longitude, @opens, @closes, @as_default, @estimated_time_on_location,
    nullif(@service_time::text, '')::jsonb, nullif(@pauses::text, '')::jsonb, @curbside, sqlc.narg('calendar_id'))
RETURNING id;

-- name: UpdateLocation :exec
UPDATE locations SET external_id = nullif(@external_id::text, ''), match_key = @match_key, name = @name,
    address1 = nullif(@address1::text, ''), address2 = nullif(@address2::text, ''),
    postal_code = nullif(@postal_code::text, ''), city = nullif(@city::text, ''), state = nullif(@state::text, ''),
    country = nullif(@country::text, ''), latitude = @latitude, longitude = @longitude, opens = @opens,
    closes = @closes, use_opening_hours_as_default = @as_default,
    estimated_time_on_location = @estimated_time_on_location, service_time = nullif(@service_time::text, '')::jsonb,
    pauses = nullif(@pauses::text, '')::jsonb, curbside = @curbside,
    calendar_id = sqlc.narg('calendar_id'), updated_at = now()
WHERE org_id = @org_id AND id = @id;

-- name: ReplaceTimeWindows :exec
-- Replaces the windows of a location.
WITH given AS (
    SELECT row_number() OVER () - 1 AS seq, x.rrule, x.opens, x.closes
    FROM (SELECT unnest(@rrules::text[]) AS rrule, unnest(@opens::smallint[]) AS opens,
        unnest(@closes::smallint[]) AS closes) x
), removed AS (
    DELETE FROM location_time_windows t
    WHERE t.org_id = @org_id AND t.location_id = @location_id AND t.seq >= cardinality(@rrules::text[])
)
INSERT INTO location_time_windows (org_id, location_id, seq, rrule, opens, closes)
SELECT @org_id, @location_id, g.seq, g.rrule, g.opens, g.closes FROM given g
ON CONFLICT (org_id, location_id, seq)
    DO UPDATE SET rrule = excluded.rrule, opens = excluded.opens, closes = excluded.closes;

-- name: CountActiveTemplatesOfLocation :one
SELECT count(*)::int AS templates FROM recurring_orders
WHERE org_id = @org_id AND is_active AND (pickup_location_id = @location_id OR delivery_location_id = @location_id);

-- name: DeleteLocation :exec
-- Marks a location as deleted: orders that refer to it stay as they are.
UPDATE locations SET deleted_at = now(), updated_at = now() WHERE org_id = @org_id AND id = @id AND deleted_at IS NULL;
