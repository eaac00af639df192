-- What finds a caller, and what looks across all organizations, asks this.
CREATE OR REPLACE FUNCTION is_suspended(org bigint) RETURNS boolean
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp
AS $$ SELECT EXISTS (SELECT FROM organizations o WHERE o.id = is_suspended.org AND o.suspended_at IS NOT NULL) $$;

REVOKE EXECUTE ON FUNCTION is_suspended FROM PUBLIC;
GRANT EXECUTE ON FUNCTION is_suspended TO waybill_app;
