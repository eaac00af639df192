CREATE OR REPLACE FUNCTION order_skills_document(org bigint, order_id bigint) RETURNS jsonb
    LANGUAGE sql STABLE PARALLEL SAFE
AS $$
    SELECT coalesce(jsonb_agg(DISTINCT jsonb_build_object('id', k.id, 'name', k.name, 'type', x.type)), '[]')
    FROM (
        SELECT ss.skill_id, ss.type FROM order_stops s
        JOIN stop_skills ss ON ss.org_id = s.org_id AND ss.stop_id = s.id
        WHERE s.org_id = org AND s.order_id = order_skills_document.order_id
        UNION ALL
        SELECT ps.skill_id, ps.type FROM order_products p
        JOIN order_product_skills ps ON ps.org_id = p.org_id AND ps.order_product_id = p.id
        WHERE p.org_id = org AND p.order_id = order_skills_document.order_id
    ) x JOIN skills k ON k.org_id = org AND k.id = x.skill_id
$$;
