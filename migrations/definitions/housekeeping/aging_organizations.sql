-- The organizations whose orders age out, behind one of them, in the order of their ids.
CREATE OR REPLACE FUNCTION aging_organizations(after bigint)
    RETURNS TABLE (id bigint, keep_days integer)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp
AS $$
    SELECT o.id, o.keep_orders_days FROM organizations o
    WHERE o.keep_orders_days IS NOT NULL AND o.closed_at IS NULL AND o.id > aging_organizations.after ORDER BY o.id
$$;

REVOKE EXECUTE ON FUNCTION aging_organizations FROM PUBLIC;
GRANT EXECUTE ON FUNCTION aging_organizations TO waybill_app;
