-- name: KeepPlanMove :exec
-- Keeps a move with how its orders and their routes are before it.
WITH moved AS (
    SELECT unnest(@order_ids::bigint[]) AS order_id, unnest(@driver_ids::bigint[]) AS driver_id
), made AS (
    INSERT INTO plan_moves (org_id, plan_id, kind, version) VALUES (@org_id, @plan_id, @kind, @version) RETURNING id
), kept AS (
    INSERT INTO plan_moved_orders (org_id, move_id, order_id, from_driver_id, to_driver_id, locked_to, locked_by, locked_at,
        accepts_anyhow, pickup_until, delivery_until)
    SELECT @org_id, made.id, m.order_id, s.driver_id, m.driver_id, l.driver_id, l.locked_by, l.locked_at,
        coalesce(l.accepts_anyhow, false), l.pickup_until, l.delivery_until
    FROM made CROSS JOIN moved m
    LEFT JOIN plan_stops s ON s.org_id = @org_id AND s.order_id = m.order_id AND s.kind = 'delivery' AND s.plan_id = @plan_id
    LEFT JOIN order_driver_locks l ON l.org_id = @org_id AND l.order_id = m.order_id
), drivers AS (
    SELECT driver_id FROM moved
    UNION
    SELECT s.driver_id FROM moved m
    JOIN plan_stops s ON s.org_id = @org_id AND s.order_id = m.order_id AND s.plan_id = @plan_id
)
INSERT INTO plan_moved_routes (org_id, move_id, driver_id, stops)
SELECT @org_id, made.id, d.driver_id, array_agg(CASE s.kind WHEN 'delivery' THEN -s.order_id ELSE s.order_id END ORDER BY s.seq)
FROM made CROSS JOIN drivers d
JOIN plan_stops s ON s.org_id = @org_id AND s.plan_id = @plan_id AND s.driver_id = d.driver_id
GROUP BY made.id, d.driver_id;

-- name: LoosenHolds :exec
-- Takes orders out of the sequences that people hold in a plan.
UPDATE route_holds h SET stops = coalesce((
    SELECT array_agg(u.stop ORDER BY u.n) FROM unnest(h.stops) WITH ORDINALITY u (stop, n)
    WHERE NOT abs(u.stop) = ANY (@order_ids::bigint[])), '{}')
WHERE h.org_id = @org_id AND h.plan_id = @plan_id AND EXISTS (
    SELECT FROM unnest(h.stops) u (stop) WHERE abs(u.stop) = ANY (@order_ids::bigint[]));

-- name: LastMovesOf :many
-- The last moves in a plan that a person has made and not undone, the last first.
SELECT m.id, m.done_at FROM plan_moves m
WHERE m.org_id = @org_id AND m.plan_id = @plan_id AND m.done_by = @done_by::text AND m.undone_at IS NULL
ORDER BY m.id DESC LIMIT @most::int;

-- name: MovedOrdersOf :many
-- The orders of moves, as they were before the first of them, and how they are now. since is
-- true when somebody else has moved or locked an order after the last of these moves.
WITH first AS (
    SELECT DISTINCT ON (o.order_id) o.* FROM plan_moved_orders o
    WHERE o.org_id = @org_id AND o.move_id = ANY (@move_ids::bigint[]) ORDER BY o.order_id, o.move_id
), last AS (
    SELECT DISTINCT ON (o.order_id) o.order_id, o.to_driver_id, m.done_at, m.done_by
    FROM plan_moved_orders o JOIN plan_moves m ON m.org_id = o.org_id AND m.id = o.move_id
    WHERE o.org_id = @org_id AND o.move_id = ANY (@move_ids::bigint[]) ORDER BY o.order_id, o.move_id DESC
)
SELECT f.order_id, coalesce(f.from_driver_id, 0)::bigint AS from_driver_id, z.to_driver_id,
    coalesce(f.locked_to, 0)::bigint AS locked_to, coalesce(f.locked_by, '')::text AS locked_by,
    coalesce(f.locked_at, '0001-01-01 00:00:00+00')::timestamptz AS locked_at, f.accepts_anyhow,
    coalesce(f.pickup_until, '0001-01-01 00:00:00+00')::timestamptz AS pickup_until,
    coalesce(f.delivery_until, '0001-01-01 00:00:00+00')::timestamptz AS delivery_until,
    coalesce(l.locked_at <> z.done_at OR l.locked_by IS DISTINCT FROM z.done_by,
        o.driver_id IS DISTINCT FROM z.to_driver_id)::boolean AS since
FROM first f JOIN last z ON z.order_id = f.order_id
JOIN orders o ON o.org_id = @org_id AND o.id = f.order_id
LEFT JOIN order_driver_locks l ON l.org_id = @org_id AND l.order_id = f.order_id
ORDER BY f.order_id;

-- name: MovedRoutesOf :many
-- The routes that moves changed, as they were before the first of them.
SELECT DISTINCT ON (r.driver_id) r.driver_id, r.stops FROM plan_moved_routes r
WHERE r.org_id = @org_id AND r.move_id = ANY (@move_ids::bigint[]) ORDER BY r.driver_id, r.move_id;

-- name: LockMoves :many
-- Locks moves that nobody has undone until the end of the transaction.
SELECT m.id FROM plan_moves m
WHERE m.org_id = @org_id AND m.id = ANY (@move_ids::bigint[]) AND m.undone_at IS NULL ORDER BY m.id FOR UPDATE;

-- name: UndoMoves :exec
UPDATE plan_moves SET undone_at = now() WHERE org_id = @org_id AND id = ANY (@move_ids::bigint[]);

-- name: RestoreLocks :many
-- Locks orders as they were before; those that were not locked are unlocked. The reason of a
-- move is in the documentations of its order.
WITH was AS (
    SELECT unnest(@order_ids::bigint[]) AS order_id, unnest(@driver_ids::bigint[]) AS driver_id,
        unnest(@locked_bys::text[]) AS locked_by, unnest(@locked_ats::timestamptz[]) AS locked_at,
        unnest(@anyhow::boolean[]) AS anyhow, unnest(@pickup_untils::timestamptz[]) AS pickup_until,
        unnest(@delivery_untils::timestamptz[]) AS delivery_until
), gone AS (
    DELETE FROM order_driver_locks l USING was w WHERE l.org_id = @org_id AND l.order_id = w.order_id AND w.driver_id = 0
), locked AS (
    INSERT INTO order_driver_locks (org_id, order_id, driver_id, locked_at, locked_by, accepts_anyhow, pickup_until, delivery_until)
    SELECT @org_id, w.order_id, w.driver_id, w.locked_at, nullif(w.locked_by, ''), w.anyhow,
        nullif(w.pickup_until, '0001-01-01 00:00:00+00'), nullif(w.delivery_until, '0001-01-01 00:00:00+00')
    FROM was w WHERE w.driver_id <> 0
    ON CONFLICT (org_id, order_id) DO UPDATE SET driver_id = excluded.driver_id, locked_at = excluded.locked_at,
        locked_by = excluded.locked_by, reason = NULL, accepts_anyhow = excluded.accepts_anyhow,
        pickup_until = excluded.pickup_until, delivery_until = excluded.delivery_until
)
SELECT o.id, o.number, w.driver_id::bigint AS driver_id FROM was w JOIN orders o ON o.org_id = @org_id AND o.id = w.order_id ORDER BY o.id;

-- name: PutHold :exec
-- Has a person hold a sequence of a route.
INSERT INTO route_holds (org_id, plan_id, driver_id, stops, is_closed)
VALUES (@org_id, @plan_id, @driver_id, @stops::bigint[], @is_closed)
ON CONFLICT (org_id, plan_id, driver_id) DO UPDATE SET stops = excluded.stops, is_closed = excluded.is_closed,
    held_by = excluded.held_by, held_at = excluded.held_at;

-- name: DeleteHold :one
-- Releases a route that a person holds.
WITH gone AS (
    DELETE FROM route_holds WHERE org_id = @org_id AND plan_id = @plan_id AND driver_id = @driver_id RETURNING 1
)
SELECT count(*)::int FROM gone;

-- name: TouchPlan :one
-- Gives a plan its next version, because a person changed what it must keep.
UPDATE plans SET version = version + 1, updated_at = now() WHERE org_id = @org_id AND id = @id RETURNING version;

-- name: HoldsOfPlans :many
-- The sequences that people hold on a day, by plan and driver.
SELECT p.id AS plan_id, h.driver_id, h.stops, h.is_closed, h.held_at,
    coalesce(name_of_actor(h.org_id, h.held_by), h.held_by, '')::text AS held_by
FROM route_holds h JOIN plans p ON p.org_id = h.org_id AND p.id = h.plan_id
WHERE h.org_id = @org_id AND p.day = @day::date AND h.driver_id = ANY (@driver_ids::bigint[])
ORDER BY p.id, h.driver_id;
