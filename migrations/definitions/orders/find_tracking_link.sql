-- Whoever has the code of a link may see its stop, and has no key that would
-- tell the organization. So this one look-up goes round the policies.
CREATE OR REPLACE FUNCTION find_tracking_link(code text) RETURNS bigint
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp
AS $$
    SELECT l.org_id FROM tracking_links l JOIN organizations o ON o.id = l.org_id
    WHERE l.code = find_tracking_link.code AND l.revoked_at IS NULL AND l.expires_at > now() AND o.closed_at IS NULL
$$;

REVOKE EXECUTE ON FUNCTION find_tracking_link FROM PUBLIC;
GRANT EXECUTE ON FUNCTION find_tracking_link TO waybill_app;
