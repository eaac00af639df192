-- Housekeeping starts no workflow of these again.
CREATE OR REPLACE FUNCTION closed_organizations() RETURNS SETOF bigint
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp
AS $$ SELECT id FROM organizations o WHERE o.closed_at IS NOT NULL $$;

REVOKE EXECUTE ON FUNCTION closed_organizations FROM PUBLIC;
GRANT EXECUTE ON FUNCTION closed_organizations TO waybill_app;
