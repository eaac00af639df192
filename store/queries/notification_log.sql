-- The notifications log (spec.md, "Notifications log"), newest first unless
-- ascending.

-- name: CountNotifications :one
SELECT count(*) FROM notifications n WHERE n.org_id = @org_id AND n.channel = @channel;

-- name: OrderNotifications :many
-- The messages of one order, with how many there are.
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

-- name: NotificationTimeline :many
-- All that happened to one message, oldest first; no row when there is none.
SELECT s.at, s.kind, s.status, s.code, s.answer, s.provider, s.occurred_at
FROM notifications n JOIN notification_steps s ON s.org_id = n.org_id AND s.notification_id = n.id
WHERE n.org_id = @org_id AND n.id = @id AND n.channel = @channel
ORDER BY s.id;
