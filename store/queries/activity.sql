-- The activity of an organization. Lists are pages in the order of the log's ids.
-- The indexes by person and subject contain the events that have a position; the
-- few others are stored together.

-- name: PageActivityIDs :many
-- The newest events before an event, among a limited number. A prefix of kinds
-- ends with a point.
SELECT x.id FROM (
    SELECT e.id, e.kind, e.actor, e.subject_type, e.subject_id, e.order_id, e.driver_id FROM events e
    WHERE e.org_id = @org_id AND e.id < @before AND e.recorded_at >= @from_time AND e.recorded_at < @to_time
    ORDER BY e.id DESC
    LIMIT @looks::int
) x
WHERE (sqlc.narg('actor')::text IS NULL OR x.actor = sqlc.narg('actor')::text)
  AND (sqlc.narg('kind')::text IS NULL OR x.kind = sqlc.narg('kind')::text)
  AND (sqlc.narg('kinds')::text IS NULL OR starts_with(x.kind, sqlc.narg('kinds')::text))
  AND (sqlc.narg('subject_type')::text IS NULL OR x.subject_type = sqlc.narg('subject_type')::text)
  AND (NOT @people_only::boolean OR x.actor <> 'system')
  AND (sqlc.narg('driver_id')::bigint IS NULL OR x.driver_id = sqlc.narg('driver_id')::bigint
    OR x.subject_type = 'driver' AND x.subject_id = sqlc.narg('driver_id')::bigint)
  AND (sqlc.narg('department_id')::bigint IS NULL
    OR EXISTS (SELECT FROM orders o WHERE o.org_id = @org_id AND o.id = x.order_id AND o.department_id = sqlc.narg('department_id')::bigint)
    OR EXISTS (SELECT FROM drivers d WHERE d.org_id = @org_id AND d.department_id = sqlc.narg('department_id')::bigint
      AND d.id = coalesce(x.driver_id, CASE WHEN x.subject_type = 'driver' THEN x.subject_id END)))
ORDER BY x.id DESC
LIMIT @page_size::int;

-- name: FirstActivityNotLookedAt :one
-- The event this many before a given one, or 0 if there are no more.
SELECT coalesce((
    SELECT e.id FROM events e
    WHERE e.org_id = @org_id AND e.id < @before AND e.recorded_at >= @from_time AND e.recorded_at < @to_time
    ORDER BY e.id DESC
    LIMIT 1 OFFSET @looks::int
), 0)::bigint AS id;

-- name: PageActivityIDsOfPerson :many
SELECT x.id FROM (
    (SELECT e.id, e.kind, e.actor, e.subject_type, e.subject_id, e.order_id, e.driver_id FROM events e
    WHERE e.org_id = @org_id AND e.actor = @actor AND e.actor LIKE 'user:%' AND e.position IS NOT NULL
      AND e.id < @before AND e.recorded_at >= @from_time AND e.recorded_at < @to_time)
    UNION ALL
    (SELECT e.id, e.kind, e.actor, e.subject_type, e.subject_id, e.order_id, e.driver_id FROM events e
    WHERE e.org_id = @org_id AND e.actor = @actor AND e.position IS NULL
      AND e.id < @before AND e.recorded_at >= @from_time AND e.recorded_at < @to_time)
) x
WHERE (sqlc.narg('kind')::text IS NULL OR x.kind = sqlc.narg('kind')::text)
  AND (sqlc.narg('kinds')::text IS NULL OR starts_with(x.kind, sqlc.narg('kinds')::text))
  AND (sqlc.narg('subject_type')::text IS NULL OR x.subject_type = sqlc.narg('subject_type')::text)
  AND (NOT @people_only::boolean OR x.actor <> 'system')
  AND (sqlc.narg('driver_id')::bigint IS NULL OR x.driver_id = sqlc.narg('driver_id')::bigint
    OR x.subject_type = 'driver' AND x.subject_id = sqlc.narg('driver_id')::bigint)
  AND (sqlc.narg('department_id')::bigint IS NULL
    OR EXISTS (SELECT FROM orders o WHERE o.org_id = @org_id AND o.id = x.order_id AND o.department_id = sqlc.narg('department_id')::bigint)
    OR EXISTS (SELECT FROM drivers d WHERE d.org_id = @org_id AND d.department_id = sqlc.narg('department_id')::bigint
      AND d.id = coalesce(x.driver_id, CASE WHEN x.subject_type = 'driver' THEN x.subject_id END)))
ORDER BY x.id DESC
LIMIT @page_size::int;

-- name: PageActivityIDsOfSubject :many
SELECT x.id FROM (
    (SELECT e.id, e.kind, e.actor, e.subject_type, e.subject_id, e.order_id, e.driver_id FROM events e
    WHERE e.org_id = @org_id AND e.subject_type = @subject_type AND e.subject_id = @subject_id AND e.position IS NOT NULL
      AND e.id < @before AND e.recorded_at >= @from_time AND e.recorded_at < @to_time)
    UNION ALL
    (SELECT e.id, e.kind, e.actor, e.subject_type, e.subject_id, e.order_id, e.driver_id FROM events e
    WHERE e.org_id = @org_id AND e.subject_type = @subject_type AND e.subject_id = @subject_id AND e.position IS NULL
      AND e.id < @before AND e.recorded_at >= @from_time AND e.recorded_at < @to_time)
) x
WHERE (sqlc.narg('actor')::text IS NULL OR x.actor = sqlc.narg('actor')::text)
  AND (sqlc.narg('kind')::text IS NULL OR x.kind = sqlc.narg('kind')::text)
  AND (sqlc.narg('kinds')::text IS NULL OR starts_with(x.kind, sqlc.narg('kinds')::text))
  AND (NOT @people_only::boolean OR x.actor <> 'system')
  AND (sqlc.narg('driver_id')::bigint IS NULL OR x.driver_id = sqlc.narg('driver_id')::bigint
    OR x.subject_type = 'driver' AND x.subject_id = sqlc.narg('driver_id')::bigint)
  AND (sqlc.narg('department_id')::bigint IS NULL
    OR EXISTS (SELECT FROM orders o WHERE o.org_id = @org_id AND o.id = x.order_id AND o.department_id = sqlc.narg('department_id')::bigint)
    OR EXISTS (SELECT FROM drivers d WHERE d.org_id = @org_id AND d.department_id = sqlc.narg('department_id')::bigint
      AND d.id = coalesce(x.driver_id, CASE WHEN x.subject_type = 'driver' THEN x.subject_id END)))
ORDER BY x.id DESC
LIMIT @page_size::int;

-- name: Activity :many
-- Events as v1 shows them, newest first.
SELECT e.id, jsonb_build_object(
    'id', e.id, 'occurred_at', iso_utc(coalesce(e.occurred_at, e.recorded_at)), 'kind', e.kind, 'actor', e.actor,
    'actor_name', name_of_actor(e.org_id, e.actor), 'cause', e.cause, 'subject_type', e.subject_type, 'subject_id', e.subject_id,
    'name', coalesce(e.external_id, CASE e.subject_type
        WHEN 'order' THEN (SELECT o.number FROM orders o WHERE o.org_id = e.org_id AND o.id = e.subject_id)
        WHEN 'user' THEN name_of_actor(e.org_id, 'user:' || e.subject_id)
        WHEN 'key' THEN name_of_actor(e.org_id, 'key:' || e.subject_id)
        WHEN 'driver' THEN (SELECT d.name FROM drivers d WHERE d.org_id = e.org_id AND d.id = e.subject_id) END),
    'order_id', e.order_id, 'order_status_id', e.order_status_id, 'driver_id', e.driver_id,
    'stop', e.stop, 'data', e.data)::jsonb AS document
FROM events e
WHERE e.org_id = @org_id AND e.id = ANY (@ids::bigint[]) AND e.recorded_at >= @from_time AND e.recorded_at < @to_time
ORDER BY e.id DESC;

-- name: PageStoryIDs :many
-- The events of an order after an event, including those of the draft that
-- became it.
SELECT x.id FROM (
    SELECT 'order'::text AS type, @order_id::bigint AS id
    UNION ALL
    SELECT 'draft', d.id FROM drafts d WHERE d.org_id = @org_id AND d.order_id = @order_id
) s, LATERAL (
    (SELECT e.id FROM events e
    WHERE e.org_id = @org_id AND e.subject_type = s.type AND e.subject_id = s.id AND e.position IS NOT NULL AND e.id > @after
    ORDER BY e.id LIMIT @page_size::int)
    UNION ALL
    (SELECT e.id FROM events e
    WHERE e.org_id = @org_id AND e.subject_type = s.type AND e.subject_id = s.id AND e.position IS NULL AND e.id > @after
    ORDER BY e.id LIMIT @page_size::int)
) x
ORDER BY x.id
LIMIT @page_size::int;

-- name: Story :many
-- Events of an order as v1 shows them, oldest first.
SELECT e.id, jsonb_build_object(
    'id', e.id, 'occurred_at', iso_utc(coalesce(e.occurred_at, e.recorded_at)),
    'about', CASE
        WHEN e.kind = 'export.external_update' THEN 'carrier'
        WHEN starts_with(e.kind, 'notification.') THEN 'message'
        WHEN starts_with(e.kind, 'export.') THEN 'export'
        WHEN starts_with(e.kind, 'document.') THEN 'document'
        WHEN e.kind IN ('order.booked', 'order.booking_cancelled', 'draft.booked', 'draft.booking_cancelled') THEN 'booking'
        WHEN e.kind IN ('order.tracking_link_reserved', 'order.tracking_link_revoked') THEN 'tracking'
        WHEN starts_with(e.kind, 'draft.') THEN 'draft'
        ELSE 'order' END,
    'kind', e.kind, 'actor', e.actor, 'actor_name', name_of_actor(e.org_id, e.actor), 'cause', e.cause,
    'workflow_id', n.workflow_id, 'workflow_url', null,
    'order_status_id', e.order_status_id, 'driver_id', coalesce(w.id, e.driver_id), 'driver_name', w.name,
    'comment', (SELECT string_agg(x.comment, E'\n' ORDER BY x.id) FROM order_documentations x
        WHERE x.org_id = e.org_id AND x.order_id = e.order_id AND e.data -> 'notes' @> to_jsonb(x.id)),
    'stop', e.stop,
    'message', CASE WHEN n.id IS NOT NULL THEN jsonb_build_object(
        'id', n.id, 'channel', n.channel, 'event', n.event, 'status', n.status) END,
    'document', CASE WHEN d.id IS NOT NULL THEN jsonb_build_object('id', d.id, 'name', d.name) END,
    'report', CASE WHEN u.id IS NOT NULL THEN jsonb_build_object(
        'event_type', u.event_type, 'label', u.label, 'success', u.success, 'failure_reason', u.failure_reason) END,
    'data', e.data)::jsonb AS document
FROM events e
LEFT JOIN notifications n ON n.org_id = e.org_id
    AND n.id = coalesce(e.notification_id, CASE WHEN e.kind = 'notification.retried' THEN (e.data ->> 'message')::bigint END)
LEFT JOIN documents d ON d.org_id = e.org_id AND d.id = e.document_id
LEFT JOIN external_updates u ON u.org_id = e.org_id
    AND u.id = CASE WHEN e.kind = 'export.external_update' THEN (e.data ->> 'update')::bigint END
LEFT JOIN drivers w ON w.org_id = e.org_id
    AND w.id = coalesce(e.driver_id, CASE WHEN e.kind = 'order.locked' THEN (e.data ->> 'driverId')::bigint END)
WHERE e.org_id = @org_id AND e.id = ANY (@ids::bigint[])
ORDER BY e.id;
