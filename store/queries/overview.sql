-- Orders as rows of a table, and summed up. Pages go along the index of days.

-- name: PageOverviewIDs :many
-- The orders that pass the filters behind one, the first day first.
SELECT o.id, o.date FROM orders o
WHERE o.org_id = @org_id AND o.date BETWEEN @from_day::date AND @to_day::date
  AND (o.date, o.id) > (@behind_day::date, @behind_id::bigint)
  AND (sqlc.narg('status_ids')::bigint[] IS NULL OR o.status_id = ANY (sqlc.narg('status_ids')::bigint[]))
  AND (sqlc.narg('order_type_ids')::bigint[] IS NULL OR o.order_type_id = ANY (sqlc.narg('order_type_ids')::bigint[]))
  AND (sqlc.narg('department_ids')::bigint[] IS NULL OR o.department_id = ANY (sqlc.narg('department_ids')::bigint[]))
  AND (sqlc.narg('driver_ids')::bigint[] IS NULL OR o.driver_id = ANY (sqlc.narg('driver_ids')::bigint[]))
  AND (sqlc.narg('customer_ids')::bigint[] IS NULL OR o.customer_id = ANY (sqlc.narg('customer_ids')::bigint[]))
  AND (sqlc.narg('ids')::bigint[] IS NULL OR o.id = ANY (sqlc.narg('ids')::bigint[]))
ORDER BY o.date, o.id
LIMIT @page_size::int;

-- name: PageOverviewIDsDown :many
-- The same, the last day first.
SELECT o.id, o.date FROM orders o
WHERE o.org_id = @org_id AND o.date BETWEEN @from_day::date AND @to_day::date
  AND (o.date, o.id) < (@behind_day::date, @behind_id::bigint)
  AND (sqlc.narg('status_ids')::bigint[] IS NULL OR o.status_id = ANY (sqlc.narg('status_ids')::bigint[]))
  AND (sqlc.narg('order_type_ids')::bigint[] IS NULL OR o.order_type_id = ANY (sqlc.narg('order_type_ids')::bigint[]))
  AND (sqlc.narg('department_ids')::bigint[] IS NULL OR o.department_id = ANY (sqlc.narg('department_ids')::bigint[]))
  AND (sqlc.narg('driver_ids')::bigint[] IS NULL OR o.driver_id = ANY (sqlc.narg('driver_ids')::bigint[]))
  AND (sqlc.narg('customer_ids')::bigint[] IS NULL OR o.customer_id = ANY (sqlc.narg('customer_ids')::bigint[]))
  AND (sqlc.narg('ids')::bigint[] IS NULL OR o.id = ANY (sqlc.narg('ids')::bigint[]))
ORDER BY o.date DESC, o.id DESC
LIMIT @page_size::int;

-- name: OverviewRows :many
-- Orders with the names of their references, in the sequence of their ids.
SELECT o.id, o.serial, o.status_id, o.date, o.reference, o.customer_id,
    c.business_name AS customer, o.order_type_id, t.name AS order_type, o.vehicle_type_id, v.name AS vehicle_type,
    o.department_id, m.name AS department, o.driver_id, d.name AS driver,
    ARRAY(SELECT n.number FROM order_numbers n WHERE n.org_id = @org_id AND n.order_id = o.id
        ORDER BY n.number)::text[] AS numbers,
    coalesce(u.state, '')::text AS unplanned,
    EXISTS (SELECT FROM exceptions e WHERE e.org_id = @org_id AND e.order_id = o.id
        AND e.resolved_at IS NULL)::boolean AS exception,
    EXISTS (SELECT FROM order_driver_locks l WHERE l.org_id = @org_id AND l.order_id = o.id)::boolean AS locked
FROM unnest(@ids::bigint[]) WITH ORDINALITY AS k (id, place)
CROSS JOIN LATERAL (SELECT * FROM orders y WHERE y.org_id = @org_id AND y.id = k.id OFFSET 0) o
JOIN customers c ON c.org_id = @org_id AND c.id = o.customer_id
JOIN order_types t ON t.org_id = @org_id AND t.id = o.order_type_id
JOIN vehicle_types v ON v.org_id = @org_id AND v.id = o.vehicle_type_id
LEFT JOIN departments m ON m.org_id = @org_id AND m.id = o.department_id
LEFT JOIN drivers d ON d.org_id = @org_id AND d.id = o.driver_id
LEFT JOIN plan_unplanned u ON u.org_id = @org_id AND u.order_id = o.id
ORDER BY k.place;

-- name: OverviewStops :many
-- The stops of orders with their planned and actual times.
SELECT s.order_id, s.kind, s.name, s.address1, s.postal_code, s.city, s.earliest, s.latest,
    coalesce(CASE WHEN s.cancelled_at IS NOT NULL THEN 'cancelled'
        WHEN s.kind = 'pickup' THEN g.pickup_status ELSE g.delivery_status END, 'pending')::text AS status,
    e.eta AS live_eta, p.eta AS planned_eta, g.pickup_arrived_at, g.pickup_ended_at,
    g.delivery_arrived_at, g.delivery_ended_at
FROM unnest(@ids::bigint[]) AS k (id)
CROSS JOIN LATERAL (SELECT * FROM order_stops y WHERE y.org_id = @org_id AND y.order_id = k.id OFFSET 0) s
LEFT JOIN order_progress g ON g.org_id = @org_id AND g.order_id = k.id
LEFT JOIN plan_stops p ON p.org_id = @org_id AND p.order_id = k.id AND p.kind = s.kind
LEFT JOIN live_etas e ON e.org_id = @org_id AND e.order_id = k.id AND e.kind = s.kind AND e.driver_id = p.driver_id
ORDER BY s.order_id, s.kind;

-- name: OrdersToSumUp :many
-- The orders of a day with their group: status, orderType, department, customer
-- or driver.
SELECT o.id, o.status_id, coalesce(CASE @group_by::text
    WHEN 'status' THEN o.status_id WHEN 'orderType' THEN o.order_type_id
    WHEN 'department' THEN o.department_id WHEN 'customer' THEN o.customer_id
    WHEN 'driver' THEN o.driver_id END, 0)::bigint AS group_id
FROM orders o WHERE o.org_id = @org_id AND o.date = @day::date
ORDER BY o.id;

-- name: NamesOfGroups :many
-- The names of the groups of orders.
SELECT x.id::bigint AS id, x.name FROM order_statuses x
WHERE @group_by::text = 'status' AND x.id = ANY (@ids::bigint[])
UNION ALL
SELECT x.id, x.name FROM order_types x
WHERE @group_by::text = 'orderType' AND x.org_id = @org_id AND x.id = ANY (@ids::bigint[])
UNION ALL
SELECT x.id, x.name FROM departments x
WHERE @group_by::text = 'department' AND x.org_id = @org_id AND x.id = ANY (@ids::bigint[])
UNION ALL
SELECT x.id, x.business_name FROM customers x
WHERE @group_by::text = 'customer' AND x.org_id = @org_id AND x.id = ANY (@ids::bigint[])
UNION ALL
SELECT x.id, x.name FROM drivers x
WHERE @group_by::text = 'driver' AND x.org_id = @org_id AND x.id = ANY (@ids::bigint[]);

-- name: OrderAtLast :one
-- The last event of an order, how many messages about it are waiting, and
-- whether it has a proof. The kind is empty if the log no longer has it.
SELECT coalesce(e.kind, '')::text AS kind, coalesce(e.occurred_at, 'epoch')::timestamptz AS occurred_at,
    (SELECT count(*) FROM notifications n WHERE n.org_id = @org_id AND n.order_id = @order_id::bigint
        AND n.status IN ('queued', 'job_dequeued'))::bigint AS waiting,
    EXISTS (SELECT FROM completion_proofs p WHERE p.org_id = @org_id AND p.order_id = @order_id::bigint
        AND p.counts)::boolean AS proved
FROM (SELECT 1) one
LEFT JOIN LATERAL (
    SELECT x.kind, coalesce(x.occurred_at, x.recorded_at) AS occurred_at FROM events x
    WHERE x.org_id = @org_id AND x.subject_type = 'order' AND x.subject_id = @order_id::bigint AND x.position IS NOT NULL
    ORDER BY x.id DESC LIMIT 1
) e ON true;
