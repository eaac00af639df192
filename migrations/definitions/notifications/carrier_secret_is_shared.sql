-- Whether several organizations name the same secret of a carrier. A call that is
-- signed without naming an organization would be good for all of them. It says
-- nothing of who they are.
CREATE OR REPLACE FUNCTION carrier_secret_is_shared(variable text) RETURNS boolean
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp
AS $$
    SELECT count(DISTINCT org_id) > 1 FROM carriers WHERE secret_env = variable
$$;

REVOKE EXECUTE ON FUNCTION carrier_secret_is_shared FROM PUBLIC;
GRANT EXECUTE ON FUNCTION carrier_secret_is_shared TO waybill_app;
