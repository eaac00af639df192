-- name: InstallationHealth :one
-- The health of all organizations together, for the person on call.
SELECT messages_waiting::bigint AS messages_waiting, coalesce(oldest_message, 'epoch')::timestamptz AS oldest_message,
    events_parked::bigint AS events_parked, coalesce(last_parked, 'epoch')::timestamptz AS last_parked,
    endpoints_resting::bigint AS endpoints_resting, organizations::bigint AS organizations
FROM installation_health(@at::timestamptz);

-- name: RelayStanding :one
-- Which member assigns positions, and how many shards of followers have no holder.
SELECT coalesce((SELECT m.name FROM relay_members m WHERE m.id = s.leader AND m.expires_at > clock_timestamp()), '')::text AS leader,
    (SELECT count(*) FROM relay_members m WHERE m.expires_at > clock_timestamp())::int AS members,
    (SELECT count(*) FROM relay_shards r
     LEFT JOIN relay_members m ON m.id = r.holder AND m.expires_at > clock_timestamp() WHERE m.id IS NULL)::int AS free_shards
FROM event_sequencer s;

-- name: ActivitySince :many
-- The events of organizations since a moment, by kind; 0 selects all
-- organizations.
SELECT org_id::bigint AS org_id, slug::text AS slug, kind::text AS kind, events::bigint AS events, bytes::bigint AS bytes,
    is_whole::boolean AS is_whole
FROM activity_since(@since::timestamptz, @org_id::bigint, @most::int);

-- name: RowsSince :one
-- The rows of an organization written since a moment, in tables that are
-- counted by time, and the time spent on its plans.
SELECT (SELECT count(*) FROM imports i WHERE i.org_id = @org_id AND i.created_at >= @since)::bigint AS imports,
    (SELECT coalesce(sum(i.total), 0) FROM imports i WHERE i.org_id = @org_id AND i.created_at >= @since)::bigint AS import_entries,
    (SELECT count(*) FROM orders o WHERE o.org_id = @org_id AND o.updated_at >= @since
        AND o.updated_hour >= date_bin('1 hour', @since, timestamptz '2000-01-01 00:00:00+00'))::bigint AS orders,
    (SELECT count(*) FROM notifications n WHERE n.org_id = @org_id AND n.created_at >= @since)::bigint AS messages,
    (SELECT count(*) FROM webhook_attempts a WHERE a.org_id = @org_id AND a.at >= @since)::bigint AS webhook_attempts,
    (SELECT count(*) FROM webhook_attempts a WHERE a.org_id = @org_id AND a.at >= @since AND NOT a.delivered)::bigint
        AS webhooks_refused,
    (SELECT count(*) FROM plans p WHERE p.org_id = @org_id AND p.planned_at >= @since)::bigint AS plans,
    (SELECT coalesce(sum(p.searched_ms), 0) FROM plans p WHERE p.org_id = @org_id AND p.planned_at >= @since)::bigint
        AS searched_ms;

-- name: WhyOrder :one
-- Where an order is, without anything of persons.
SELECT o.id, o.number, s.name AS status, o.date::date AS day, o.created_at, o.updated_at, o.cancelled_at,
    coalesce(o.department_id, 0)::bigint AS department_id, coalesce(o.driver_id, 0)::bigint AS driver_id,
    EXISTS (SELECT FROM order_driver_locks l WHERE l.org_id = o.org_id AND l.order_id = o.id)::boolean AS is_locked,
    (SELECT count(*) FROM bookings b WHERE b.org_id = o.org_id AND b.order_id = o.id)::int AS bookings
FROM orders o JOIN order_statuses s ON s.id = o.status_id
WHERE o.org_id = @org_id AND o.id = @id;

-- name: WhyDraft :one
-- The draft of a number.
SELECT d.id, d.state, d.reasons, d.updated_at FROM drafts d WHERE d.org_id = @org_id AND d.external_id = @number::text;

-- name: WhyImported :one
-- The last import that changed an order.
SELECT e.cause, e.recorded_at::timestamptz AS recorded_at FROM events e
WHERE e.org_id = @org_id AND e.subject_type = @about::text AND e.subject_id = @id AND e.position IS NOT NULL
  AND e.cause LIKE 'import/%'
ORDER BY e.id DESC LIMIT 1;

-- name: WhyImportResult :one
-- The last import result of a number.
SELECT r.kind, coalesce(r.reasons, '[]')::jsonb AS reasons FROM import_results r
WHERE r.org_id = @org_id AND r.import_id = @import_id AND r.external_id = @number::text
ORDER BY r.position DESC LIMIT 1;

-- name: WhyPlanned :many
-- The stops of an order in a plan.
SELECT p.kind, p.driver_id, p.seq, p.starts_at, p.eta FROM plan_stops p
WHERE p.org_id = @org_id AND p.order_id = @order_id ORDER BY p.starts_at;

-- name: WhyUnplanned :one
-- Why no route has an order.
SELECT u.state, u.certainty, u.reasons, u.since FROM plan_unplanned u WHERE u.org_id = @org_id AND u.order_id = @order_id;

-- name: WhyExported :one
-- How far the export of an order is.
SELECT coalesce(e.carrier, '')::text AS carrier, e.state, coalesce(e.reason, '')::text AS reason, e.version, e.fetched_version,
    e.exported_version, e.updated_at
FROM order_exports e WHERE e.org_id = @org_id AND e.order_id = @order_id;

-- name: WhyMessages :many
-- The newest messages about an order, without their texts and receivers, each with the
-- last answer's code.
SELECT n.id, n.channel, n.event, n.status, coalesce(n.failure, '')::text AS failure, n.workflow_id, n.attempts,
    coalesce(n.send_window_from, 'epoch')::timestamptz AS window_from, n.created_at, n.updated_at,
    coalesce((SELECT s.code FROM notification_steps s
        WHERE s.org_id = n.org_id AND s.notification_id = n.id AND s.code <> '' ORDER BY s.id DESC LIMIT 1), '')::text AS code
FROM notifications n WHERE n.org_id = @org_id AND n.order_id = @order_id
ORDER BY n.id DESC LIMIT 20;

-- name: WhyParked :many
-- Events of an order that followers left out.
SELECT p.follower, p.kind, p.reason, p.parked_at FROM parked_events p
JOIN events e ON e.org_id = p.org_id AND e.position = p.position AND e.kind <> '' AND e.position IS NOT NULL
WHERE p.org_id = @org_id AND e.order_id = @order_id::bigint
ORDER BY p.parked_at DESC LIMIT 20;
