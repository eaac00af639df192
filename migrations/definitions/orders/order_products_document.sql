-- Products of an order as JSON, with the data of the catalogue's products of the same external
-- ids. The identifier of a unit is its place among the units of its product.
CREATE OR REPLACE FUNCTION order_products_document(org bigint, order_id bigint, loads text[]) RETURNS jsonb
    LANGUAGE sql STABLE PARALLEL SAFE
AS $$
    SELECT coalesce(jsonb_agg(
        d.base
        || CASE WHEN 'OrderProducts.Product' = ANY (loads) THEN jsonb_build_object('product', (
            SELECT jsonb_build_object('id', c.id, 'external_id', c.external_id, 'name', c.name)
            FROM order_products p JOIN products c ON c.org_id = p.org_id AND c.external_id = p.external_id
            WHERE p.org_id = d.org_id AND p.id = d.id)) ELSE '{}' END
        || CASE WHEN 'OrderProducts.OrderProductSkills' = ANY (loads) THEN jsonb_build_object('order_product_skills', (
            SELECT coalesce(jsonb_agg(jsonb_build_object('id', k.id, 'name', k.name, 'type', ps.type) ORDER BY k.name), '[]')
            FROM order_product_skills ps JOIN skills k ON k.org_id = ps.org_id AND k.id = ps.skill_id
            WHERE ps.org_id = d.org_id AND ps.order_product_id = d.id)) ELSE '{}' END
        || CASE WHEN 'OrderProducts.OrderProductUnits' = ANY (loads) THEN jsonb_build_object('order_product_units', (
            SELECT coalesce(jsonb_agg(jsonb_build_object('id', u.seq, 'name', u.name, 'quantity', u.quantity) ORDER BY u.seq), '[]')
            FROM order_products p
            JOIN products c ON c.org_id = p.org_id AND c.external_id = p.external_id
            JOIN product_units u ON u.org_id = c.org_id AND u.product_id = c.id
            WHERE p.org_id = d.org_id AND p.id = d.id)) ELSE '{}' END
        ORDER BY d.seq, d.id), '[]')
    FROM order_product_documents d
    WHERE d.org_id = org AND d.order_id = order_products_document.order_id
$$;
