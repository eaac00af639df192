-- Freights, and products by their barcodes.

-- name: Freights :many
-- A page of freights after one, newest first.
SELECT f.id, f.internal_freight_number, f.consignee_id, a.business_name AS consignee, f.consignor_id,
    b.business_name AS consignor, f.created_at,
    (SELECT count(*) FROM orders o WHERE o.org_id = @org_id AND o.freight_id = f.id)::bigint AS orders
FROM freights f
JOIN customers a ON a.org_id = f.org_id AND a.id = f.consignee_id
JOIN customers b ON b.org_id = f.org_id AND b.id = f.consignor_id
WHERE f.org_id = @org_id AND f.id < @before
  AND (sqlc.narg('number')::text IS NULL OR f.internal_freight_number = sqlc.narg('number')::text)
  AND (sqlc.narg('customer_id')::bigint IS NULL OR sqlc.narg('customer_id')::bigint IN (f.consignee_id, f.consignor_id))
  AND (sqlc.narg('id')::bigint IS NULL OR f.id = sqlc.narg('id')::bigint)
ORDER BY f.id DESC
LIMIT @page_size::int;

-- name: OrdersOfFreight :many
SELECT o.id FROM orders o WHERE o.org_id = @org_id AND o.freight_id = @freight_id::bigint ORDER BY o.id LIMIT @most::int;

-- name: AtomsOfOrder :many
-- The products of an order as a tree shows them.
SELECT p.id, p.external_id, p.number, p.atom_type, p.barcode_id, p.name, p.quantity, coalesce(p.parent_id, 0)::bigint AS parent_id,
    ARRAY(SELECT u.barcode_id FROM order_product_units u WHERE u.org_id = p.org_id AND u.order_product_id = p.id
        ORDER BY u.unit)::text[] AS unit_barcodes
FROM order_products p WHERE p.org_id = @org_id AND p.order_id = @order_id
ORDER BY p.number, p.seq, p.id;

-- name: AtomsByBarcode :many
-- The products, or products with a unit, that have one of some barcodes, those of active orders first,
-- and then the newest.
SELECT p.id, p.order_id, o.status_id, (o.status_id BETWEEN 1 AND 5)::boolean AS active
FROM order_products p JOIN orders o ON o.org_id = p.org_id AND o.id = p.order_id
WHERE p.org_id = @org_id AND p.id IN (
    SELECT x.id FROM order_products x WHERE x.org_id = @org_id AND x.barcode_id = ANY (@barcodes::text[])
    UNION ALL
    SELECT u.order_product_id FROM order_product_units u
    WHERE u.org_id = @org_id AND u.barcode_id = ANY (@barcodes::text[]))
ORDER BY active DESC, o.id DESC, p.id
LIMIT 2;

-- name: DocumentsOfOrder :many
SELECT d.id, d.name, d.content_type, d.size, d.created_at, d.uploaded_at, coalesce(d.storage_key, '')::text AS storage_key
FROM order_documents a JOIN documents d ON d.org_id = a.org_id AND d.id = a.document_id
WHERE a.org_id = @org_id AND a.order_id = @order_id
ORDER BY d.id LIMIT @most::int;

-- name: DeleteDocument :execrows
-- Deletes a document without references, with its event.
WITH gone AS (
    DELETE FROM documents d
    WHERE d.org_id = @org_id AND d.id = @id
      AND NOT EXISTS (SELECT FROM order_documents a WHERE a.org_id = d.org_id AND a.document_id = d.id)
      AND NOT EXISTS (SELECT FROM draft_documents a WHERE a.org_id = d.org_id AND a.document_id = d.id)
    RETURNING d.org_id AS org, d.id AS document
)
INSERT INTO events (org_id, kind, subject_type, subject_id, document_id)
SELECT org, 'document.deleted', 'document', document, document FROM gone;

-- name: AppendScan :one
-- Records the scan of a product with its contents, and returns the order's status.
WITH RECURSIVE inside AS (
    SELECT p.id FROM order_products p WHERE p.org_id = @org_id AND p.id = @product_id
    UNION
    SELECT c.id FROM inside i JOIN order_products c ON c.org_id = @org_id AND c.parent_id = i.id
), told AS (
    INSERT INTO events (org_id, kind, subject_type, subject_id, order_id, external_id, driver_id, product_ids, product_status_id,
        data)
    SELECT o.org_id, 'order.product_scanned', 'order', o.id, o.id, p.number, nullif(@driver_id::bigint, 0),
        (SELECT array_agg(i.id ORDER BY i.id <> @product_id, i.id) FROM inside i), o.status_id, @data::jsonb
    FROM order_products p JOIN orders o ON o.org_id = p.org_id AND o.id = p.order_id
    WHERE p.org_id = @org_id AND p.id = @product_id
    RETURNING product_status_id
)
SELECT product_status_id::smallint AS status_id FROM told;
