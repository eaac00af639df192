CREATE OR REPLACE VIEW v1_groups WITH (security_invoker = true) AS
SELECT org_id, id, 0 AS place, is_active,
    jsonb_build_object('id', id, 'name', name, 'is_active', is_active, 'source', source) AS document
FROM order_groups;

GRANT SELECT ON v1_groups TO waybill_app;
