-- One row for each product of an event; place counts them within the event. A product that is
-- gone has the number of its event. An entry of a scan has what was scanned.
CREATE OR REPLACE VIEW product_status_feed WITH (security_invoker = true) AS
SELECT e.org_id, e.position, u.place, e.order_id, coalesce(p.number, e.external_id) AS external_id, u.product_id,
    p.external_id AS product_external_id, s.id AS status_id, s.name AS status,
    coalesce(e.occurred_at, e.recorded_at) AS occurred_at, e.driver_id, e.stop,
    CASE WHEN e.kind = 'order.product_scanned' THEN e.data END AS scan
FROM events e
CROSS JOIN LATERAL unnest(coalesce(e.product_ids, '{}') || coalesce(e.removed_product_ids, '{}')) WITH ORDINALITY AS u (product_id, place)
JOIN order_statuses s
    ON s.id = CASE WHEN u.place <= coalesce(cardinality(e.product_ids), 0) THEN e.product_status_id ELSE 8 END
LEFT JOIN order_products p ON p.org_id = e.org_id AND p.id = u.product_id
WHERE e.position IS NOT NULL AND e.product_status_id IS NOT NULL;

GRANT SELECT ON product_status_feed TO waybill_app;
