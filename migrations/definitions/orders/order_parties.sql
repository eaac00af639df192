-- The relations that say who an order is for and what it is part of.
CREATE OR REPLACE FUNCTION order_parties(org bigint, order_id bigint, loads text[]) RETURNS jsonb
    LANGUAGE sql STABLE PARALLEL SAFE
AS $$
    SELECT CASE WHEN 'Consignee' = ANY (loads) THEN jsonb_build_object('consignee', party_document(org, o.consignee_id)) ELSE '{}' END
        || CASE WHEN 'Consignor' = ANY (loads) THEN jsonb_build_object('consignor', party_document(org, o.consignor_id)) ELSE '{}' END
        || CASE WHEN 'Freight' = ANY (loads) THEN jsonb_build_object('freight', (
            SELECT jsonb_build_object('id', f.id, 'internal_freight_number', f.internal_freight_number,
                'consignee_id', f.consignee_id, 'consignor_id', f.consignor_id)
            FROM freights f WHERE f.org_id = org AND f.id = o.freight_id)) ELSE '{}' END
        || CASE WHEN 'Groups' = ANY (loads) THEN jsonb_build_object('groups', (
            SELECT coalesce(jsonb_agg(jsonb_build_object('id', g.id, 'name', g.name) ORDER BY g.name, g.id), '[]')
            FROM order_group_members m JOIN order_groups g ON g.org_id = m.org_id AND g.id = m.group_id
            WHERE m.org_id = org AND m.order_id = o.id)) ELSE '{}' END
        || CASE WHEN 'Prices' = ANY (loads) THEN jsonb_build_object('prices', (
            SELECT coalesce(jsonb_agg(jsonb_build_object('name', p.name, 'price', p.price::text, 'currency', p.currency,
                'quantity', p.quantity, 'computed', p.computed) ORDER BY p.seq), '[]')
            FROM order_prices p WHERE p.org_id = org AND p.order_id = o.id)) ELSE '{}' END
        || CASE WHEN 'ErpOrders' = ANY (loads) THEN jsonb_build_object('erp_orders', erp_orders_document(org, o.id)) ELSE '{}' END
    FROM orders o
    WHERE o.org_id = org AND o.id = order_parties.order_id
        AND loads && ARRAY['Consignee', 'Consignor', 'Freight', 'Groups', 'Prices', 'ErpOrders']
    UNION ALL
    SELECT '{}' WHERE NOT loads && ARRAY['Consignee', 'Consignor', 'Freight', 'Groups', 'Prices', 'ErpOrders']
$$;
