-- The numbers that lead to an order: more than one where ERP orders share it.
CREATE OR REPLACE FUNCTION erp_orders_document(org bigint, order_id bigint) RETURNS jsonb
    LANGUAGE sql STABLE PARALLEL SAFE
AS $$
    SELECT coalesce(jsonb_agg(jsonb_build_object('external_id', n.number,
        'state', CASE WHEN n.cancelled_at IS NULL AND o.status_id <> 8 THEN 'ACTIVE' ELSE 'CANCELLED' END,
        'cancelled_at', iso_utc(coalesce(n.cancelled_at, o.cancelled_at))) ORDER BY n.number), '[]')
    FROM order_numbers n JOIN orders o ON o.org_id = n.org_id AND o.id = n.order_id
    WHERE n.org_id = org AND n.order_id = erp_orders_document.order_id
$$;
