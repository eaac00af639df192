CREATE OR REPLACE VIEW v1_freight_levels WITH (security_invoker = true) AS
SELECT org_id, id, seq AS place, is_active, jsonb_build_object(
    'id', id, 'name', name, 'position', seq, 'max_weight_kg', max_weight_kg, 'max_volume_m3', max_volume_m3,
    'max_colli', max_colli, 'is_active', is_active, 'source', source) AS document
FROM freight_levels;

GRANT SELECT ON v1_freight_levels TO waybill_app;
