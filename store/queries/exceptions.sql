-- Exceptions for the office.

-- name: OpenExceptions :exec
-- Opens exceptions of a driver's day with their events; open ones are not
-- changed. The name of the event is the day.
WITH opened AS (
    INSERT INTO exceptions (org_id, kind, day, driver_id, order_id, stop, at)
    SELECT @org_id, x.kind, @day::date, @driver_id::bigint, nullif(x.order_id, 0), nullif(x.stop, ''), x.at
    FROM (SELECT unnest(@kinds::text[]) AS kind, unnest(@order_ids::bigint[]) AS order_id, unnest(@stops::text[]) AS stop,
        unnest(@ats::timestamptz[]) AS at) x
    ON CONFLICT DO NOTHING
    RETURNING id, kind, day, driver_id, order_id, stop
)
INSERT INTO events (org_id, kind, subject_type, subject_id, order_id, external_id, driver_id, stop, data)
SELECT @org_id, 'exception.opened', CASE WHEN order_id IS NULL THEN 'driver' ELSE 'order' END, coalesce(order_id, driver_id),
    order_id, day::text, driver_id, stop, jsonb_build_object('exception', id, 'kind', kind)
FROM opened ORDER BY id;

-- name: OpenMissedRules :exec
-- Opens the exceptions of orders that stay with drivers against a rule, with their events.
WITH opened AS (
    INSERT INTO exceptions (org_id, kind, day, driver_id, order_id, rule, at)
    SELECT @org_id, 'RULE_MISSED', @day::date, x.driver_id, x.order_id, x.rule, now()
    FROM (SELECT unnest(@driver_ids::bigint[]) AS driver_id, unnest(@order_ids::bigint[]) AS order_id,
        unnest(@rules::text[]) AS rule) x
    RETURNING id, kind, day, driver_id, order_id
)
INSERT INTO events (org_id, kind, subject_type, subject_id, order_id, external_id, driver_id, data)
SELECT @org_id, 'exception.opened', 'order', order_id, order_id, day::text, driver_id, jsonb_build_object('exception', id, 'kind', kind)
FROM opened ORDER BY id;

-- name: MissedRules :many
-- Open exceptions for orders that stay with the drivers of an area against a rule.
SELECT x.id, x.driver_id, coalesce(x.order_id, 0)::bigint AS order_id, coalesce(x.rule, '')::text AS rule,
    (x.resolution IS NULL)::boolean AS open
FROM exceptions x JOIN drivers d ON d.org_id = x.org_id AND d.id = x.driver_id
WHERE x.org_id = @org_id AND x.day = @day::date AND x.kind = 'RULE_MISSED' AND coalesce(d.department_id, 0) = @department_id::bigint
  AND (x.resolution IS NULL OR x.resolution = 'DISMISSED')
ORDER BY x.id;

-- name: OpenConflict :exec
-- Opens the exception of a contradictory action, with its event. An open one of the
-- same driver, stop and type of action is counted up instead.
WITH again AS (
    UPDATE exceptions x SET times = x.times + 1
    WHERE x.org_id = @org_id AND x.id = (SELECT y.id FROM exceptions y JOIN driver_actions a ON a.org_id = y.org_id AND a.id = y.action_id
        WHERE y.org_id = @org_id AND y.driver_id = @driver_id::bigint AND y.kind = @kind AND y.resolved_at IS NULL
          AND y.order_id IS NOT DISTINCT FROM nullif(@order_id::bigint, 0) AND y.stop IS NOT DISTINCT FROM nullif(@stop::text, '')
          AND y.action_id <> (@action_id::text)::uuid AND a.type = @action_type::text
        ORDER BY y.id LIMIT 1)
    RETURNING x.id
), opened AS (
    INSERT INTO exceptions (org_id, kind, day, driver_id, order_id, stop, action_id, at)
    SELECT @org_id, @kind, driving_day(@org_id::bigint, @driver_id::bigint, @at), @driver_id::bigint,
        nullif(@order_id::bigint, 0), nullif(@stop::text, ''), (@action_id::text)::uuid, @at::timestamptz
    WHERE NOT EXISTS (SELECT FROM again)
    ON CONFLICT DO NOTHING
    RETURNING id, kind, day, driver_id, order_id, stop
)
INSERT INTO events (org_id, kind, subject_type, subject_id, order_id, external_id, driver_id, stop, data)
SELECT @org_id, 'exception.opened', CASE WHEN order_id IS NULL THEN 'driver' ELSE 'order' END, coalesce(order_id, driver_id),
    order_id, day::text, driver_id, stop, jsonb_build_object('exception', id, 'kind', kind)
FROM opened;

-- name: CloseExceptions :exec
-- Resolves exceptions that are open, with their events.
WITH closed AS (
    UPDATE exceptions x SET resolution = @resolution::text, resolved_at = now(),
        resolved_by = current_setting('app.actor', true), comment = nullif(@comment::text, '')
    WHERE x.org_id = @org_id AND x.id = ANY (@ids::bigint[]) AND x.resolved_at IS NULL
    RETURNING x.id, x.kind, x.day, x.driver_id, x.order_id, x.stop, x.resolution
)
INSERT INTO events (org_id, kind, subject_type, subject_id, order_id, external_id, driver_id, stop, data)
SELECT @org_id, 'exception.resolved', CASE WHEN order_id IS NULL THEN 'driver' ELSE 'order' END,
    coalesce(order_id, driver_id), order_id, day::text, driver_id, stop,
    jsonb_build_object('exception', id, 'kind', kind, 'resolution', resolution)
FROM closed ORDER BY id;

-- name: LockException :one
-- An exception locked for its resolution, with its action.
SELECT x.kind, coalesce(x.order_id, 0)::bigint AS order_id, coalesce(x.action_id::text, '')::text AS action_id, x.at,
    coalesce(x.resolution, '')::text AS resolution
FROM exceptions x WHERE x.org_id = @org_id AND x.id = @id FOR NO KEY UPDATE;

-- name: PageExceptionIDs :many
-- A page of exceptions after one, newest first.
SELECT x.id FROM exceptions x
WHERE x.org_id = @org_id AND x.id < @before
  AND (sqlc.narg('kind')::text IS NULL OR x.kind = sqlc.narg('kind')::text)
  AND (sqlc.narg('open')::boolean IS NULL OR (x.resolved_at IS NULL) = sqlc.narg('open')::boolean)
  AND (sqlc.narg('day')::date IS NULL OR x.day = sqlc.narg('day')::date)
  AND (sqlc.narg('driver_id')::bigint IS NULL OR x.driver_id = sqlc.narg('driver_id')::bigint)
  AND (sqlc.narg('order_id')::bigint IS NULL OR x.order_id = sqlc.narg('order_id')::bigint)
ORDER BY x.id DESC
LIMIT @page_size::int;

-- name: Exceptions :many
-- Exceptions with their subjects, newest first.
SELECT x.id, x.kind, x.day, x.driver_id, d.name AS driver_name, x.order_id, o.number, x.stop,
    coalesce(x.action_id::text, '')::text AS action_id, coalesce(a.type, '')::text AS action_type, coalesce(x.rule, '')::text AS rule, x.at, s.latest, x.opened_at,
    coalesce(x.resolution, '')::text AS resolution, x.resolved_at, x.resolved_by,
    coalesce(name_of_actor(x.org_id, x.resolved_by), '')::text AS resolved_by_name, x.comment, x.times
FROM exceptions x
JOIN drivers d ON d.org_id = x.org_id AND d.id = x.driver_id
LEFT JOIN orders o ON o.org_id = x.org_id AND o.id = x.order_id
LEFT JOIN order_stops s ON s.org_id = x.org_id AND s.order_id = x.order_id AND s.kind = x.stop
LEFT JOIN driver_actions a ON a.org_id = x.org_id AND a.id = x.action_id
WHERE x.org_id = @org_id AND x.id = ANY (@ids::bigint[])
ORDER BY x.id DESC;
