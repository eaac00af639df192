-- The notifications log (spec.md, "Notifications log"), newest first unless
-- ascending.

-- name: CountNotifications :one
SELECT count(*) FROM notifications n WHERE n.org_id = @org_id AND n.channel = @channel;

-- name: OrderNotifications :many
-- The messages of one order, with their total number.
SELECT l.id, l.channel, l.record::jsonb AS record, l.email, l.sms, count(*) OVER () AS total
FROM notification_log l
WHERE l.org_id = @org_id AND l.order_id = @order_id::bigint AND l.channel = ANY (@channels::text[])
  AND (@receiver::text = '' OR strpos(lower(l.receiver), lower(@receiver)) > 0)
ORDER BY CASE WHEN @ascending::boolean THEN l.id ELSE -l.id END
LIMIT @page_size::int OFFSET @page_offset::bigint;

-- name: NewestNotifications :many
SELECT l.id, l.channel, l.record::jsonb AS record, l.email, l.sms
FROM notification_log l
WHERE l.org_id = @org_id AND l.channel = @channel
ORDER BY l.id DESC LIMIT @page_size::int OFFSET @page_offset::bigint;

-- name: OldestNotifications :many
SELECT l.id, l.channel, l.record::jsonb AS record, l.email, l.sms
FROM notification_log l
WHERE l.org_id = @org_id AND l.channel = @channel
ORDER BY l.id LIMIT @page_size::int OFFSET @page_offset::bigint;

-- name: SearchNotifications :many
-- A page of the messages whose address contains a text. The planner takes the
-- function to return many; OFFSET 0 keeps it from reading the whole log for them.
SELECT l.id, l.channel, l.record::jsonb AS record, l.email, l.sms, f.total::bigint AS total
FROM search_notifications(@channel::text, @pattern::text, sqlc.narg('order_id')::bigint, @ascending::boolean,
    @page_size::int, @page_offset::bigint) f
CROSS JOIN LATERAL (SELECT * FROM notification_log x WHERE x.org_id = @org_id AND x.id = f.id OFFSET 0) l
ORDER BY CASE WHEN @ascending::boolean THEN l.id ELSE -l.id END;

-- name: NotificationsByStatus :many
-- A page of messages with a status, retried or not. Superseded messages are not
-- listed as failed.
WITH found AS MATERIALIZED (
    SELECT n.id FROM notifications n
    WHERE n.org_id = @org_id AND n.channel = @channel
      AND (@statuses::text[] = '{}' OR n.status = ANY (@statuses::text[]) AND n.failure IS DISTINCT FROM 'Superseded')
      AND (sqlc.narg('order_id')::bigint IS NULL OR coalesce(n.order_id, 0) = sqlc.narg('order_id')::bigint)
      AND (@receiver::text = '' OR strpos(lower(n.receiver), lower(@receiver)) > 0)
      AND (sqlc.narg('is_retried')::boolean IS NULL
        OR EXISTS (SELECT FROM notifications r WHERE r.org_id = n.org_id AND r.retry_of = n.id) = sqlc.narg('is_retried')::boolean)
), wanted AS MATERIALIZED (
    SELECT f.id FROM found f
    ORDER BY CASE WHEN @ascending::boolean THEN f.id ELSE -f.id END
    LIMIT @page_size::int OFFSET @page_offset::bigint
)
SELECT l.id, l.channel, l.record::jsonb AS record, l.email, l.sms, (SELECT count(*) FROM found) AS total
FROM wanted w
CROSS JOIN LATERAL (SELECT * FROM notification_log x WHERE x.org_id = @org_id AND x.id = w.id OFFSET 0) l
ORDER BY CASE WHEN @ascending::boolean THEN l.id ELSE -l.id END;

-- name: NotificationsOfDay :many
-- The same for the orders of one day, of which there are fewer than messages.
WITH found AS MATERIALIZED (
    SELECT n.id FROM orders o JOIN notifications n ON n.org_id = o.org_id AND n.order_id = o.id
    WHERE o.org_id = @org_id AND o.date = @order_date::date AND n.channel = @channel
      AND (@statuses::text[] = '{}' OR n.status = ANY (@statuses::text[]) AND n.failure IS DISTINCT FROM 'Superseded')
      AND (sqlc.narg('order_id')::bigint IS NULL OR coalesce(n.order_id, 0) = sqlc.narg('order_id')::bigint)
      AND (@receiver::text = '' OR strpos(lower(n.receiver), lower(@receiver)) > 0)
      AND (sqlc.narg('is_retried')::boolean IS NULL
        OR EXISTS (SELECT FROM notifications r WHERE r.org_id = n.org_id AND r.retry_of = n.id) = sqlc.narg('is_retried')::boolean)
), wanted AS MATERIALIZED (
    SELECT f.id FROM found f
    ORDER BY CASE WHEN @ascending::boolean THEN f.id ELSE -f.id END
    LIMIT @page_size::int OFFSET @page_offset::bigint
)
SELECT l.id, l.channel, l.record::jsonb AS record, l.email, l.sms, (SELECT count(*) FROM found) AS total
FROM wanted w
CROSS JOIN LATERAL (SELECT * FROM notification_log x WHERE x.org_id = @org_id AND x.id = w.id OFFSET 0) l
ORDER BY CASE WHEN @ascending::boolean THEN l.id ELSE -l.id END;

-- name: NotificationTimeline :many
-- The history of one message, oldest first; no row for an unknown one.
SELECT s.at, s.kind, s.status, s.code, s.answer, s.provider, s.occurred_at, s.next_at, s.times,
    s.last_at
FROM notifications n JOIN notification_steps s ON s.org_id = n.org_id AND s.notification_id = n.id
WHERE n.org_id = @org_id AND n.id = @id AND n.channel = @channel
ORDER BY s.id;
