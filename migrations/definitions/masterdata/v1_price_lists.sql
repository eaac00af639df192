CREATE OR REPLACE VIEW v1_price_lists WITH (security_invoker = true) AS
SELECT l.org_id, l.id, l.seq AS place, l.is_active, jsonb_build_object(
    'id', l.id, 'name', l.name, 'position', l.seq, 'currency', l.currency, 'minimum_price', l.minimum_price::text,
    'order_type_ids', coalesce((
        SELECT jsonb_agg(o.order_type_id ORDER BY o.order_type_id) FROM price_list_order_types o
        WHERE o.org_id = l.org_id AND o.price_list_id = l.id), '[]'),
    'prices', coalesce((
        SELECT jsonb_agg(jsonb_build_object('from_zone_id', p.from_zone_id, 'to_zone_id', p.to_zone_id,
            'freight_level_id', p.freight_level_id, 'base', p.base::text, 'per_kg', p.per_kg::text,
            'per_colli', p.per_colli::text) ORDER BY p.seq)
        FROM price_list_lines p WHERE p.org_id = l.org_id AND p.price_list_id = l.id), '[]'),
    'is_active', l.is_active, 'source', l.source) AS document
FROM price_lists l;

GRANT SELECT ON v1_price_lists TO waybill_app;
