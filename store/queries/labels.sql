-- Serial shipping container codes, and the content of labels that is not on
-- orders.

-- name: DrawSSCCs :one
-- Reserves a run of numbers, and returns the first with the organization's
-- prefix, or no row if it has none.
WITH counted AS (
    INSERT INTO sscc_counters AS c (org_id, drawn)
    SELECT o.id, @many::bigint FROM organizations o WHERE o.id = @org_id AND o.sscc_prefix IS NOT NULL
    ON CONFLICT (org_id) DO UPDATE SET drawn = c.drawn + excluded.drawn
    RETURNING drawn
)
SELECT (c.drawn - @many::bigint)::bigint AS first, o.sscc_prefix::text AS prefix
FROM counted c CROSS JOIN organizations o WHERE o.id = @org_id;

-- name: LabelNames :many
-- The names of the orders' types, and their serial numbers.
SELECT o.id, o.serial, t.name AS order_type
FROM unnest(@ids::bigint[]) AS k (id)
CROSS JOIN LATERAL (SELECT * FROM orders y WHERE y.org_id = @org_id AND y.id = k.id OFFSET 0) o
JOIN order_types t ON t.org_id = @org_id AND t.id = o.order_type_id;

-- name: NumbersOfIDs :many
-- The numbers that name orders.
SELECT o.id, o.number FROM orders o WHERE o.org_id = @org_id AND o.id = ANY (@ids::bigint[]);

-- name: SSCCPrefixIsTaken :one
SELECT sscc_prefix_is_taken(@prefix::text)::boolean AS taken;

-- name: CodesOfUnits :many
-- The codes of the units of orders' lines, in their sequence.
SELECT u.order_product_id, u.unit, u.barcode_id
FROM order_products p JOIN order_product_units u ON u.org_id = p.org_id AND u.order_product_id = p.id
WHERE p.org_id = @org_id AND p.order_id = ANY (@order_ids::bigint[])
ORDER BY u.order_product_id, u.unit;

-- name: AddCodesOfUnits :exec
INSERT INTO order_product_units (org_id, order_product_id, unit, barcode_id)
SELECT @org_id, unnest(@product_ids::bigint[]), unnest(@units::int[]), unnest(@codes::text[]);
