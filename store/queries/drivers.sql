-- name: ListDrivers :many
SELECT count(*) OVER () AS total, sqlc.embed(drivers)
FROM drivers
WHERE org_id = @org_id AND (sqlc.narg('is_active')::boolean IS NULL OR is_active = sqlc.narg('is_active')::boolean)
ORDER BY id
LIMIT @page_size::int OFFSET @skip::int;

-- name: ReadDriver :one
SELECT org_id, id, name, phone_number, is_active, external_id, email_address, created_at, updated_at
FROM drivers WHERE org_id = @org_id AND id = @id;

-- name: LockDriver :one
-- Locks a driver until the end of the transaction.
SELECT org_id, id, name, phone_number, is_active, external_id, email_address, created_at, updated_at
FROM drivers WHERE org_id = @org_id AND id = @id FOR UPDATE;

-- name: CreateDriver :one
INSERT INTO drivers (org_id, external_id, name, phone_number, email_address)
VALUES (@org_id, sqlc.narg('external_id'), @name, sqlc.narg('phone_number'), sqlc.narg('email_address'))
RETURNING org_id, id, name, phone_number, is_active, external_id, email_address, created_at, updated_at;

-- name: UpdateDriver :one
UPDATE drivers SET external_id = sqlc.narg('external_id'), name = @name, phone_number = sqlc.narg('phone_number'),
    email_address = sqlc.narg('email_address'), is_active = @is_active, updated_at = now()
WHERE org_id = @org_id AND id = @id
RETURNING org_id, id, name, phone_number, is_active, external_id, email_address, created_at, updated_at;

-- name: ActiveOrdersOfDriver :one
-- How many orders a driver has that are still to be carried out.
SELECT count(*) FROM orders WHERE org_id = @org_id AND driver_id = @driver_id::bigint AND status_id <= 5;

-- name: ListWorkdays :many
SELECT date, starts, ends FROM driver_workdays
WHERE org_id = @org_id AND driver_id = @driver_id AND date BETWEEN @start_date::date AND @end_date::date
ORDER BY date;

-- name: DeleteWorkdays :exec
DELETE FROM driver_workdays
WHERE org_id = @org_id AND driver_id = @driver_id AND date BETWEEN @start_date::date AND @end_date::date;

-- name: InsertWorkdays :exec
INSERT INTO driver_workdays (org_id, driver_id, date, starts, ends)
SELECT @org_id, @driver_id, unnest(@dates::date[]), unnest(@starts::smallint[]), unnest(@ends::smallint[]);

-- name: ApplyDrivers :one
-- A driver without an external id is known by its name.
WITH wanted AS (
    SELECT nullif(x.external_id, '') AS external_id, x.name, nullif(x.phone_number, '') AS phone_number,
        nullif(x.email_address, '') AS email_address
    FROM (SELECT unnest(@external_ids::text[]) AS external_id, unnest(@names::text[]) AS name,
        unnest(@phone_numbers::text[]) AS phone_number, unnest(@email_addresses::text[]) AS email_address) x
), known AS (
    SELECT w.*, (
        SELECT min(t.id) FROM drivers t WHERE t.org_id = @org_id AND CASE WHEN w.external_id IS NULL
            THEN t.external_id IS NULL AND lower(t.name) = lower(w.name) ELSE t.external_id = w.external_id END
    ) AS id
    FROM wanted w
), updated AS (
    UPDATE drivers t SET name = k.name, phone_number = k.phone_number, email_address = k.email_address,
        is_active = true, updated_at = now()
    FROM known k
    WHERE t.org_id = @org_id AND t.id = k.id
      AND (t.name, t.phone_number, t.email_address, t.is_active)
          IS DISTINCT FROM (k.name, k.phone_number, k.email_address, true)
    RETURNING t.id
), created AS (
    INSERT INTO drivers (org_id, external_id, name, phone_number, email_address)
    SELECT @org_id, k.external_id, k.name, k.phone_number, k.email_address FROM known k WHERE k.id IS NULL
    RETURNING id
)
SELECT (SELECT count(*) FROM created)::int AS created, (SELECT count(*) FROM updated)::int AS updated;

-- name: PruneDrivers :one
-- A driver whom orders name stays as inactive, without days to come.
WITH doomed AS (
    SELECT t.id, EXISTS (SELECT FROM orders o WHERE o.org_id = t.org_id AND o.driver_id = t.id) AS used
    FROM drivers t
    WHERE t.org_id = @org_id
      AND (t.external_id = ANY (@external_ids::text[])) IS NOT TRUE
      AND (t.external_id IS NULL
          AND lower(t.name) IN (SELECT lower(k.name) FROM (SELECT unnest(@names::text[]) AS name) k)) IS NOT TRUE
), idle AS (
    DELETE FROM driver_workdays w USING doomed d
    WHERE w.org_id = @org_id AND w.driver_id = d.id AND d.used AND w.date >= current_date
)
SELECT prune('drivers', @org_id, array_agg(d.id) FILTER (WHERE NOT d.used),
    array_agg(d.id) FILTER (WHERE d.used))::bigint AS removed
FROM doomed d;
