CREATE OR REPLACE VIEW v1_products WITH (security_invoker = true) AS
SELECT p.org_id, p.id, 0 AS place, p.is_active, jsonb_build_object(
    'id', p.id, 'external_id', p.external_id, 'name', p.name, 'barcode_id', p.barcode_id, 'weight', p.weight,
    'length', p.length, 'width', p.width, 'height', p.height, 'atom_type', p.atom_type,
    'skills', coalesce((
        SELECT jsonb_agg(s.name ORDER BY lower(s.name)) FROM product_skills k
        JOIN skills s ON s.org_id = k.org_id AND s.id = k.skill_id
        WHERE k.org_id = p.org_id AND k.product_id = p.id), '[]'),
    'units', coalesce((
        SELECT jsonb_agg(jsonb_build_object('name', u.name, 'quantity', u.quantity, 'barcode_id', u.barcode_id) ORDER BY u.seq)
        FROM product_units u WHERE u.org_id = p.org_id AND u.product_id = p.id), '[]'),
    'is_active', p.is_active, 'source', p.source, 'created_at', iso_utc(p.created_at), 'updated_at', iso_utc(p.updated_at)
) AS document
FROM products p;

GRANT SELECT ON v1_products TO waybill_app;
