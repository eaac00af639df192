-- Products of orders as JSON, with the reported outcome of each product: what was missing, who
-- reported it, and when.
CREATE OR REPLACE VIEW order_product_documents WITH (security_invoker = true) AS
SELECT p.org_id, p.order_id, p.id, p.seq,
    jsonb_build_object(
        'id', p.id, 'order_id', p.order_id, 'internal_order_number', p.number, 'name', p.name,
        'quantity', p.quantity, 'weight', p.weight, 'length', p.length, 'width', p.width, 'height', p.height,
        'barcode_id', p.barcode_id, 'external_id', p.external_id, 'instance_number', p.instance_number,
        'parent_id', p.parent_id, 'parent_sscc', parent.barcode_id, 'atom_type', p.atom_type,
        'is_modified', p.is_modified
    ) || CASE WHEN p.load_amounts IS NULL THEN '{}' ELSE jsonb_build_object('load_amounts', p.load_amounts) END
    || CASE WHEN d.order_id IS NULL THEN '{}' ELSE jsonb_build_object('delivered_quantity', d.delivered,
        'refused_quantity', d.refused, 'refusal_reason', d.reason) END
    || CASE WHEN m.order_id IS NULL THEN '{}' ELSE jsonb_build_object('missing_quantity', m.missing,
        'missing_reason', m.reason, 'missing_driver_id', m.driver_id, 'missing_driver_name', w.name,
        'missing_reported_at', iso_utc(m.reported_at)) END AS base
FROM order_products p
LEFT JOIN order_products parent ON parent.org_id = p.org_id AND parent.id = p.parent_id
LEFT JOIN order_product_deliveries d ON d.org_id = p.org_id AND d.order_product_id = p.id
LEFT JOIN order_products_missing m ON m.org_id = p.org_id AND m.order_product_id = p.id
LEFT JOIN drivers w ON w.org_id = m.org_id AND w.id = m.driver_id;

GRANT SELECT ON order_product_documents TO waybill_app;
