-- name: LockSeenPlan :one
-- Locks a plan that a person has seen until the end of the transaction.
SELECT id, version, fresh, fresh_version, (released_at IS NOT NULL)::boolean AS released FROM plans
WHERE org_id = @org_id AND day = @day::date AND coalesce(department_id, 0) = @department_id::bigint
FOR UPDATE;

-- name: AskFreshPlan :one
-- Has the next search forget the sequence of a plan, and returns its new version.
UPDATE plans SET fresh = true, version = version + 1, fresh_version = version + 1, updated_at = now()
WHERE org_id = @org_id AND id = @id
RETURNING version;

-- name: LockMoved :many
-- Locks orders to the drivers to whom a person moved them, with the accepted
-- violations, and returns their numbers.
WITH moved AS (
    SELECT unnest(@order_ids::bigint[]) AS order_id, unnest(@driver_ids::bigint[]) AS driver_id,
        unnest(@anyhow::boolean[]) AS anyhow, unnest(@pickup_untils::timestamptz[]) AS pickup_until,
        unnest(@delivery_untils::timestamptz[]) AS delivery_until
), locked AS (
    INSERT INTO order_driver_locks (org_id, order_id, driver_id, reason, accepts_anyhow, pickup_until, delivery_until)
    SELECT @org_id, m.order_id, m.driver_id, nullif(@reason::text, ''), m.anyhow,
        nullif(m.pickup_until, '0001-01-01 00:00:00+00'), nullif(m.delivery_until, '0001-01-01 00:00:00+00')
    FROM moved m
    ON CONFLICT (org_id, order_id) DO UPDATE SET driver_id = excluded.driver_id, locked_at = excluded.locked_at,
        locked_by = excluded.locked_by, reason = excluded.reason, accepts_anyhow = excluded.accepts_anyhow,
        pickup_until = excluded.pickup_until, delivery_until = excluded.delivery_until
)
SELECT o.id, o.number FROM moved m JOIN orders o ON o.org_id = @org_id AND o.id = m.order_id;

-- name: KeepMoveReasons :many
-- Stores the reasons for moves in the orders' documentations.
INSERT INTO order_documentations (org_id, order_id, type, comment)
SELECT @org_id, k.id, 'move', @reason::text FROM (SELECT unnest(@order_ids::bigint[]) AS id) k
RETURNING order_id, id;

-- name: LastMove :one
-- The last lock of an order to a driver: by whom, to which driver and how many
-- seconds ago. Without a lock, the order's present driver.
SELECT o.number, coalesce(d.name, '')::text AS driver_name,
    coalesce(name_of_actor(o.org_id, l.locked_by), l.locked_by, '')::text AS moved_by,
    greatest(coalesce(extract(epoch FROM now() - l.locked_at), 0), 0)::bigint AS seconds
FROM orders o
LEFT JOIN order_driver_locks l ON l.org_id = o.org_id AND l.order_id = o.id
LEFT JOIN drivers d ON d.org_id = o.org_id AND d.id = coalesce(l.driver_id, o.driver_id)
WHERE o.org_id = @org_id AND o.id = @order_id;
