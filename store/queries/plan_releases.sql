-- name: ReleasePlan :one
-- Releases a plan to its drivers, and keeps its stops as they are. It returns the new version, and how many
-- routes and orders it has.
WITH released AS (
    UPDATE plans p SET released_at = now(), released_by = nullif(current_setting('app.actor', true), ''),
        version = p.version + 1, updated_at = now()
    WHERE p.org_id = @org_id AND p.id = @id RETURNING p.version
), kept AS (
    INSERT INTO plan_released_stops (org_id, plan_id, order_id, kind, driver_id, seq, arrives_at, starts_at, leaves_at)
    SELECT s.org_id, s.plan_id, s.order_id, s.kind, s.driver_id, s.seq, s.arrives_at, s.starts_at, s.leaves_at
    FROM plan_stops s WHERE s.org_id = @org_id AND s.plan_id = @id
    RETURNING plan_released_stops.driver_id, plan_released_stops.order_id
)
SELECT (SELECT version FROM released)::bigint AS version,
    (SELECT count(DISTINCT k.driver_id) FROM kept k)::bigint AS routes,
    (SELECT count(DISTINCT k.order_id) FROM kept k)::bigint AS orders;

-- name: CountReleasedChanges :exec
-- Counts routes that became others after the release of their plan.
UPDATE plans SET released_changes = released_changes + @routes::bigint WHERE org_id = @org_id AND id = @id;

-- name: ReleaseOfPlan :one
-- When a plan was released, and by whom.
SELECT p.id, coalesce(p.released_at, '0001-01-01 00:00:00+00')::timestamptz AS released_at,
    coalesce(name_of_actor(p.org_id, p.released_by), p.released_by, '')::text AS released_by
FROM plans p
WHERE p.org_id = @org_id AND p.day = @day::date AND coalesce(p.department_id, 0) = @department_id::bigint;

-- name: PageReleasedOrders :many
-- The orders of a released plan after one: their driver and times as they were released, and as they are planned
-- now. Times of zero mean none.
WITH was AS (
    SELECT s.order_id, max(s.driver_id) AS driver_id, max(s.seq) FILTER (WHERE s.kind = 'delivery') AS seq,
        max(s.starts_at) FILTER (WHERE s.kind = 'pickup') AS pickup_at,
        max(s.starts_at) FILTER (WHERE s.kind = 'delivery') AS delivery_at
    FROM plan_released_stops s WHERE s.org_id = @org_id AND s.plan_id = @plan_id AND s.order_id > @after::bigint
    GROUP BY s.order_id
), now AS (
    SELECT s.order_id, max(s.driver_id) AS driver_id, max(s.seq) FILTER (WHERE s.kind = 'delivery') AS seq,
        max(s.starts_at) FILTER (WHERE s.kind = 'pickup') AS pickup_at,
        max(s.starts_at) FILTER (WHERE s.kind = 'delivery') AS delivery_at
    FROM plan_stops s WHERE s.org_id = @org_id AND s.plan_id = @plan_id AND s.order_id > @after::bigint
    GROUP BY s.order_id
)
SELECT o.id AS order_id, o.number,
    coalesce(w.driver_id, 0)::bigint AS was_driver_id, coalesce(w.seq, 0)::int AS was_seq,
    coalesce(w.pickup_at, '0001-01-01 00:00:00+00')::timestamptz AS was_pickup_at,
    coalesce(w.delivery_at, '0001-01-01 00:00:00+00')::timestamptz AS was_delivery_at,
    coalesce(n.driver_id, 0)::bigint AS driver_id, coalesce(n.seq, 0)::int AS seq,
    coalesce(n.pickup_at, '0001-01-01 00:00:00+00')::timestamptz AS pickup_at,
    coalesce(n.delivery_at, '0001-01-01 00:00:00+00')::timestamptz AS delivery_at
FROM was w FULL JOIN now n ON n.order_id = w.order_id
JOIN orders o ON o.org_id = @org_id AND o.id = coalesce(w.order_id, n.order_id)
ORDER BY o.id LIMIT @page_size::int;
