-- The same for all organizations; active are those of orders that are still to
-- be carried out.
CREATE OR REPLACE VIEW v1_order_statuses WITH (security_invoker = true) AS
SELECT o.id AS org_id, s.id::bigint AS id, 0 AS place, s.id <= 5 AS is_active, jsonb_build_object(
    'id', s.id, 'name', s.name, 'is_active', s.id <= 5) AS document
FROM organizations o CROSS JOIN order_statuses s;

GRANT SELECT ON v1_order_statuses TO waybill_app;
