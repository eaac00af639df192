-- The first orders whose text of a field contains a term. Like find_locations, it
-- works as the owner of the tables and asks for the session's organization.
CREATE OR REPLACE FUNCTION find_orders_by_text(field text, term text, most integer) RETURNS SETOF bigint
    LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 100
    SET search_path = public, pg_temp
    SET enable_seqscan = off
    SET enable_indexscan = off
    SET jit = off
    SET plan_cache_mode = force_custom_plan
AS $$
DECLARE
    pattern constant text := containing(term);
BEGIN
    IF field = 'reference' THEN
        RETURN QUERY SELECT o.id FROM orders o WHERE o.org_id = current_org() AND o.reference ILIKE pattern LIMIT most;
    ELSIF field = 'shipment' THEN
        RETURN QUERY (SELECT o.id FROM orders o
            WHERE o.org_id = current_org() AND o.internal_freight_number ILIKE pattern LIMIT most)
        UNION (SELECT a.order_id FROM export_acknowledgements a
            WHERE a.org_id = current_org() AND a.status = 'EXPORTED' AND a.carrier_shipment_id ILIKE pattern LIMIT most);
    END IF;
END
$$;

REVOKE EXECUTE ON FUNCTION find_orders_by_text FROM PUBLIC;
GRANT EXECUTE ON FUNCTION find_orders_by_text TO waybill_app;
