-- name: LockDriving :one
-- What the rules of driving know of an order, which is locked already: who has
-- it, who alone may, and who may not for whatever reason.
SELECT coalesce(o.driver_id, 0)::bigint AS driver_id, o.updated_at,
    coalesce((SELECT l.driver_id FROM order_driver_locks l WHERE l.org_id = o.org_id AND l.order_id = o.id), 0)::bigint
        AS locked_to,
    ARRAY (
        SELECT p.driver_id FROM order_prohibited_drivers p WHERE p.org_id = o.org_id AND p.order_id = o.id
        UNION
        SELECT p.driver_id FROM customer_prohibited_drivers p WHERE p.org_id = o.org_id AND p.customer_id = o.customer_id
        UNION
        SELECT p.driver_id FROM location_prohibited_drivers p
        JOIN order_stops s ON s.org_id = p.org_id AND s.location_id = p.location_id
        WHERE s.org_id = o.org_id AND s.order_id = o.id
        ORDER BY 1
    )::bigint[] AS prohibited
FROM orders o WHERE o.org_id = @org_id AND o.id = @id;

-- name: OrderVersion :one
-- When an order was last changed.
SELECT updated_at FROM orders WHERE org_id = @org_id AND id = @id;

-- name: MoveOrder :one
-- Writes how far an order is and who has it; nobody edits it by that.
UPDATE orders SET status_id = @status_id, driver_id = nullif(@driver_id::bigint, 0), updated_at = now()
WHERE org_id = @org_id AND id = @id RETURNING updated_at;

-- name: ProhibitedDrivers :many
-- Who may not have an order because of itself.
SELECT p.driver_id, d.name, coalesce(p.reason, '')::text AS reason
FROM order_prohibited_drivers p JOIN drivers d ON d.org_id = p.org_id AND d.id = p.driver_id
WHERE p.org_id = @org_id AND p.order_id = @order_id ORDER BY p.driver_id;

-- name: SetProhibitedDrivers :exec
-- Makes these, and nobody else, those who may not have an order.
WITH wanted AS (
    SELECT unnest(@driver_ids::bigint[]) AS driver_id, unnest(@reasons::text[]) AS reason
), removed AS (
    DELETE FROM order_prohibited_drivers t
    WHERE t.org_id = @org_id AND t.order_id = @order_id AND NOT t.driver_id = ANY (@driver_ids::bigint[])
)
INSERT INTO order_prohibited_drivers (org_id, order_id, driver_id, reason)
SELECT @org_id, @order_id, w.driver_id, nullif(w.reason, '') FROM wanted w
ON CONFLICT (org_id, order_id, driver_id) DO UPDATE SET reason = excluded.reason;

-- name: SetDriverLock :exec
-- Locks an order to a driver; what an earlier lock let it break, it may not any more.
INSERT INTO order_driver_locks (org_id, order_id, driver_id) VALUES (@org_id, @order_id, @driver_id)
ON CONFLICT (org_id, order_id) DO UPDATE SET driver_id = excluded.driver_id, locked_at = excluded.locked_at,
    locked_by = excluded.locked_by, reason = excluded.reason, accepts_anyhow = excluded.accepts_anyhow,
    pickup_until = excluded.pickup_until, delivery_until = excluded.delivery_until;

-- name: DeleteDriverLock :exec
DELETE FROM order_driver_locks WHERE org_id = @org_id AND order_id = @order_id;

-- name: KnownDrivers :many
-- Which of these drivers there are, active or not.
SELECT id, is_active FROM drivers WHERE org_id = @org_id AND id = ANY (@ids::bigint[]);

-- name: AddDocumentation :exec
INSERT INTO order_documentations (org_id, order_id, stop_id, type, comment)
VALUES (@org_id, @order_id, nullif(@stop_id::bigint, 0), @type, nullif(@comment::text, ''));

-- name: DrawSerial :one
-- The next serial of an organization's orders.
SELECT nextval(('order_serial_' || @org_id::bigint)::regclass)::bigint AS serial;
