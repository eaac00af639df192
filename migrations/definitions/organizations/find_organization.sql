-- Operators name an organization by its slug.
CREATE OR REPLACE FUNCTION find_organization(slug text) RETURNS bigint
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp
AS $$ SELECT id FROM organizations o WHERE o.slug = find_organization.slug AND o.closed_at IS NULL $$;

REVOKE EXECUTE ON FUNCTION find_organization FROM PUBLIC;
GRANT EXECUTE ON FUNCTION find_organization TO waybill_app;
