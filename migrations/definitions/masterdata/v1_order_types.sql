-- Order types as the v1 wire shows them, with what drivers must record as proof.
CREATE OR REPLACE VIEW v1_order_types WITH (security_invoker = true) AS
SELECT org_id, id, 0 AS place, is_active, jsonb_build_object(
    'id', id, 'name', name, 'priority', priority, 'ready_from', clock_text(ready_from),
    'pick_up_before', clock_text(pick_up_before), 'deliver_before', clock_text(deliver_before), 'min_book_ahead_minutes', min_book_ahead_minutes,
    'max_book_ahead_minutes', max_book_ahead_minutes, 'export_carrier', export_carrier, 'proof', proof, 'service_time', service_time, 'is_active', is_active,
    'source', source) AS document
FROM order_types;

GRANT SELECT ON v1_order_types TO waybill_app;
