-- Messages between the office and drivers.

-- name: LockDriverMessages :exec
-- Lets changes of the messages of drivers follow each other, in the order of the drivers: they share a bound.
SELECT pg_advisory_xact_lock(hashtextextended(concat_ws('/', 'waybill.driver_messages', @org_id::bigint, d.id), 0))
FROM (SELECT DISTINCT unnest(@driver_ids::bigint[]) AS id ORDER BY 1) d;

-- name: MessageReceivers :many
-- Which of these are active drivers, and how many messages they have of a day from a side.
SELECT d.id, d.name, (
    SELECT count(*) FROM driver_messages m
    WHERE m.org_id = d.org_id AND m.driver_id = d.id AND m.day = @day::date AND m.side = @side
)::bigint AS messages
FROM drivers d
WHERE d.org_id = @org_id AND d.id = ANY (@driver_ids::bigint[]) AND d.is_active
ORDER BY d.id;

-- name: HasOrder :one
SELECT EXISTS (SELECT FROM orders WHERE org_id = @org_id AND id = @id)::boolean AS has;

-- name: ReceiversOfOrders :many
-- The drivers who have orders on a day: in its plans, or without a plan.
SELECT o.id AS order_id, coalesce(p.driver_id, o.driver_id)::bigint AS driver_id
FROM orders o LEFT JOIN (
    SELECT s.org_id, s.order_id, s.driver_id FROM plan_stops s JOIN plans d ON d.org_id = s.org_id AND d.id = s.plan_id
    WHERE s.org_id = @org_id AND s.order_id = ANY (@order_ids::bigint[]) AND s.kind = 'delivery' AND d.day = @day::date
) p ON p.org_id = o.org_id AND p.order_id = o.id
WHERE o.org_id = @org_id AND o.id = ANY (@order_ids::bigint[])
  AND (p.driver_id IS NOT NULL OR o.driver_id IS NOT NULL AND o.date = @day::date);

-- name: AddDriverMessages :many
-- Adds a message to each of the drivers, about the order at the same place or 0, with its event, and returns them in the
-- order as given. No pair of a driver and an order is there twice. The name of the event is the day.
WITH receivers AS (
    SELECT x.id, nullif(x.order_id, 0) AS order_id, row_number() OVER () AS place
    FROM (SELECT unnest(@driver_ids::bigint[]) AS id, unnest(@order_ids::bigint[]) AS order_id) x
), added AS (
    INSERT INTO driver_messages (org_id, driver_id, day, side, author, text, order_id, client_id, written_at)
    SELECT @org_id, r.id, @day::date, @side, current_setting('app.actor', true), @text, r.order_id,
        nullif(@client_id::text, '')::uuid, @written_at::timestamptz
    FROM receivers r ORDER BY r.place
    RETURNING id, driver_id, day, side, order_id
), logged AS (
    INSERT INTO events (org_id, kind, subject_type, subject_id, external_id, driver_id, data)
    SELECT @org_id, 'driver.message_sent', 'driver', a.driver_id, a.day::text, a.driver_id,
        jsonb_strip_nulls(jsonb_build_object('message', a.id, 'from', a.side, 'order', a.order_id))
    FROM added a ORDER BY a.id
)
SELECT a.id FROM added a JOIN receivers r ON r.id = a.driver_id AND r.order_id IS NOT DISTINCT FROM a.order_id ORDER BY r.place;

-- name: OwnOrder :one
-- The order if a driver has or had it, and else 0.
SELECT coalesce((
    SELECT o.id FROM orders o
    WHERE o.org_id = @org_id AND o.id = @id AND (o.driver_id = @driver_id::bigint
        OR EXISTS (SELECT FROM plan_stops s WHERE s.org_id = o.org_id AND s.order_id = o.id AND s.driver_id = @driver_id::bigint)
        OR EXISTS (SELECT FROM driver_actions a WHERE a.org_id = o.org_id AND a.order_id = o.id AND a.driver_id = @driver_id::bigint))
), 0)::bigint AS id;

-- name: DriverMessageOfClient :one
-- The message that a phone calls so.
SELECT m.id FROM driver_messages m WHERE m.org_id = @org_id AND m.driver_id = @driver_id AND m.client_id = (@client_id::text)::uuid;

-- name: ReadDriverMessages :one
-- Marks what a side wrote as read by the other one, up to a message, of one day or of all, with the event if there was any.
WITH seen AS (
    UPDATE driver_messages m SET read_at = now(), read_by = current_setting('app.actor', true)
    WHERE m.org_id = @org_id AND m.driver_id = @driver_id AND m.side = @side AND m.id <= @up_to AND m.read_at IS NULL
      AND (sqlc.narg('day')::date IS NULL OR m.day = sqlc.narg('day')::date)
    RETURNING m.id, m.day
), logged AS (
    INSERT INTO events (org_id, kind, subject_type, subject_id, external_id, driver_id, data)
    SELECT @org_id, 'driver.messages_read', 'driver', @driver_id, max(s.day)::text, @driver_id,
        jsonb_build_object('from', @side::text, 'upTo', max(s.id), 'count', count(*))
    FROM seen s HAVING count(*) > 0
)
SELECT count(*)::int AS messages FROM seen;

-- name: PageDriverMessageIDs :many
-- A page of messages before one, newest first.
SELECT m.id FROM driver_messages m
WHERE m.org_id = @org_id AND m.id < @before
  AND (sqlc.narg('day')::date IS NULL OR m.day = sqlc.narg('day')::date)
  AND (sqlc.narg('since')::date IS NULL OR m.day >= sqlc.narg('since')::date)
  AND (sqlc.narg('driver_id')::bigint IS NULL OR m.driver_id = sqlc.narg('driver_id')::bigint)
ORDER BY m.id DESC
LIMIT @page_size::int;

-- name: DriverMessages :many
-- Messages with the names of who and what they are about, newest first.
SELECT m.id, coalesce(m.client_id::text, '')::text AS client_id, m.day, m.driver_id, d.name AS driver_name, m.side, m.text, m.order_id,
    o.number, coalesce(name_of_actor(m.org_id, m.author), '')::text AS author_name, m.written_at, m.sent_at, m.read_at
FROM driver_messages m
JOIN drivers d ON d.org_id = m.org_id AND d.id = m.driver_id
LEFT JOIN orders o ON o.org_id = m.org_id AND o.id = m.order_id
WHERE m.org_id = @org_id AND m.id = ANY (@ids::bigint[])
ORDER BY m.id DESC;

-- name: UnreadDriverMessages :many
-- How many messages of a day from drivers the office has not read, by driver.
SELECT m.driver_id, d.name, count(*)::int AS messages
FROM driver_messages m JOIN drivers d ON d.org_id = m.org_id AND d.id = m.driver_id
WHERE m.org_id = @org_id AND m.day = @day::date AND m.side = 'DRIVER' AND m.read_at IS NULL
GROUP BY m.driver_id, d.name
ORDER BY m.driver_id;

-- name: UnreadOfOffice :one
-- How many messages of the office a driver has not read, of a day and later.
SELECT count(*)::int AS messages FROM driver_messages m
WHERE m.org_id = @org_id AND m.driver_id = @driver_id AND m.day >= @since::date AND m.side = 'OFFICE' AND m.read_at IS NULL;
