-- ERP orders in a list: one row per number. Drafts come before orders.

-- name: PageERPDrafts :many
-- Drafts after a given one whose number has no order, oldest first.
SELECT d.id, d.external_id::text AS number, d.updated_at
FROM drafts d
WHERE d.org_id = @org_id AND d.id > @behind AND d.state = 'incomplete' AND d.external_id IS NOT NULL
  AND (sqlc.narg('updated_since')::timestamptz IS NULL OR d.updated_at >= sqlc.narg('updated_since')::timestamptz)
  AND (sqlc.narg('on_day')::text IS NULL OR d.request ->> 'date' = sqlc.narg('on_day')::text)
  AND NOT EXISTS (SELECT FROM order_numbers n
      WHERE n.org_id = @org_id AND n.number = d.external_id AND n.order_id IS NOT NULL)
ORDER BY d.id LIMIT @page_size::int;

-- name: PageERPOrders :many
-- Numbers of orders after one, those of the oldest order first; active excludes
-- cancelled numbers, and those of cancelled orders.
SELECT n.number, o.id AS order_id, o.status_id, o.date, o.updated_at, o.customer_id, c.business_name AS customer,
    (o.status_id = 8 OR n.cancelled_at IS NOT NULL)::boolean AS cancelled,
    EXISTS (SELECT FROM order_numbers x WHERE x.org_id = @org_id AND x.order_id = o.id AND x.number <> n.number)::boolean AS shared
FROM orders o
CROSS JOIN LATERAL (SELECT * FROM order_numbers y WHERE y.org_id = @org_id AND y.order_id = o.id OFFSET 0) n
CROSS JOIN LATERAL (SELECT * FROM customers y WHERE y.org_id = @org_id AND y.id = o.customer_id OFFSET 0) c
WHERE o.org_id = @org_id AND o.id >= @behind_id::bigint AND (o.id > @behind_id::bigint OR n.number > @behind_number::text)
  AND (sqlc.narg('on_day')::date IS NULL OR o.date = sqlc.narg('on_day')::date)
  AND (sqlc.narg('customer_id')::bigint IS NULL OR o.customer_id = sqlc.narg('customer_id')::bigint)
  AND (sqlc.narg('updated_since')::timestamptz IS NULL OR (o.updated_at >= sqlc.narg('updated_since')::timestamptz
      AND o.updated_hour >= date_bin('1 hour', sqlc.narg('updated_since')::timestamptz, timestamptz '2000-01-01 00:00:00+00')))
  AND (NOT @active_alone::boolean OR (o.status_id <> 8 AND n.cancelled_at IS NULL))
ORDER BY o.id, n.number LIMIT @page_size::int;

-- name: PageERPOrdersCancelled :many
-- The same for cancelled numbers, and those of cancelled orders: all of them are
-- collected first, because a scan of all orders could find them late.
SELECT n.number, o.id AS order_id, o.status_id, o.date, o.updated_at, o.customer_id, c.business_name AS customer,
    (o.status_id = 8 OR n.cancelled_at IS NOT NULL)::boolean AS cancelled,
    EXISTS (SELECT FROM order_numbers x WHERE x.org_id = @org_id AND x.order_id = o.id AND x.number <> n.number)::boolean AS shared
FROM (
    SELECT y.id FROM orders y WHERE y.org_id = @org_id AND y.status_id = 8 AND y.id >= @behind_id::bigint
    UNION
    SELECT y.order_id FROM order_numbers y
    WHERE y.org_id = @org_id AND y.cancelled_at IS NOT NULL AND y.order_id >= @behind_id::bigint
) k
CROSS JOIN LATERAL (SELECT * FROM orders y WHERE y.org_id = @org_id AND y.id = k.id OFFSET 0) o
CROSS JOIN LATERAL (SELECT * FROM order_numbers y WHERE y.org_id = @org_id AND y.order_id = o.id OFFSET 0) n
CROSS JOIN LATERAL (SELECT * FROM customers y WHERE y.org_id = @org_id AND y.id = o.customer_id OFFSET 0) c
WHERE (o.id > @behind_id::bigint OR n.number > @behind_number::text)
  AND (sqlc.narg('on_day')::date IS NULL OR o.date = sqlc.narg('on_day')::date)
  AND (sqlc.narg('customer_id')::bigint IS NULL OR o.customer_id = sqlc.narg('customer_id')::bigint)
  AND (sqlc.narg('updated_since')::timestamptz IS NULL OR o.updated_at >= sqlc.narg('updated_since')::timestamptz)
  AND (o.status_id = 8 OR n.cancelled_at IS NOT NULL)
ORDER BY o.id, n.number LIMIT @page_size::int;
