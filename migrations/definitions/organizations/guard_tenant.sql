-- Every migration calls this for each table that it adds: the table then shows and takes only
-- rows of the session's organization.
CREATE OR REPLACE FUNCTION guard_tenant(tenant regclass) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', tenant);
    EXECUTE format('CREATE POLICY tenant ON %s USING (org_id = current_org()) WITH CHECK (org_id = current_org())', tenant);
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %s TO waybill_app', tenant);
    EXECUTE (
        SELECT coalesce(string_agg(format('GRANT USAGE ON SEQUENCE %s TO waybill_app', d.objid::regclass), '; '), 'SELECT')
        FROM pg_depend d JOIN pg_class c ON c.oid = d.objid AND c.relkind = 'S'
        WHERE d.refobjid = tenant AND d.classid = 'pg_class'::regclass AND d.deptype IN ('a', 'i')
    );
END
$$;

REVOKE EXECUTE ON FUNCTION guard_tenant FROM PUBLIC;
