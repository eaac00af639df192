-- The organizations that keep anything personal for a while only, behind one of them, in the
-- order of their ids.
CREATE OR REPLACE FUNCTION retaining_organizations(after bigint)
    RETURNS TABLE (id bigint, people_days bigint, proofs_days bigint, drivers_days bigint)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp
AS $$
    SELECT o.id, o.keep_people_days, o.keep_proofs_days, o.keep_drivers_days FROM organizations o
    WHERE greatest(o.keep_people_days, o.keep_proofs_days, o.keep_drivers_days) > 0 AND o.closed_at IS NULL
      AND o.id > retaining_organizations.after
    ORDER BY o.id
$$;

REVOKE EXECUTE ON FUNCTION retaining_organizations FROM PUBLIC;
GRANT EXECUTE ON FUNCTION retaining_organizations TO waybill_app;
