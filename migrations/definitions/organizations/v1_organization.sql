-- The organization as the v1 wire shows it, with whether it is a sandbox, whom drivers call and
-- what they must record as proof.
CREATE OR REPLACE VIEW v1_organization WITH (security_invoker = true) AS
SELECT id AS org_id, jsonb_build_object(
    'id', id, 'slug', slug, 'name', name, 'timezone', timezone, 'language', language, 'allow_merge', allow_merge,
    'reexport', reexport, 'sandbox', sandbox, 'office_phone', office_phone, 'proof', proof, 'loading_minutes', loading_minutes,
    'goods_apart', coalesce(goods_apart, '[]'), 'load_dimensions', coalesce(load_dimensions, '[]'),
    'max_stops', max_stops, 'max_driving_minutes', max_driving_minutes, 'costs', costs,
    'rush_hours', coalesce(rush_hours, '[]'), 'recipient_page', recipient_page, 'updated_at', iso_utc(updated_at)) AS document
FROM organizations;

GRANT SELECT ON v1_organization TO waybill_app;
