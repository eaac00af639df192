CREATE OR REPLACE VIEW v1_zones WITH (security_invoker = true) AS
SELECT org_id, id, 0 AS place, is_active, jsonb_build_object(
    'id', id, 'name', name, 'areas', areas, 'is_active', is_active, 'source', source) AS document
FROM zones;

GRANT SELECT ON v1_zones TO waybill_app;
