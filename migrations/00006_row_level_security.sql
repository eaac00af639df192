-- +goose Up
-- The backstop of tenancy: every table with an org_id shows and takes only
-- rows of the session's organization.
-- +goose StatementBegin
DO $$
DECLARE
    tenant text;
BEGIN
    FOR tenant IN
        SELECT c.relname FROM pg_class c
        JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'org_id' AND NOT a.attisdropped
        WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r'
    LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', tenant);
        EXECUTE format('CREATE POLICY tenant ON %I USING (org_id = current_org()) WITH CHECK (org_id = current_org())', tenant);
        EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO waybill_app', tenant);
    END LOOP;
END
$$;
-- +goose StatementEnd

ALTER TABLE organizations ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON organizations USING (id = current_org()) WITH CHECK (id = current_org());
GRANT SELECT, INSERT, UPDATE ON organizations TO waybill_app;

GRANT SELECT ON order_statuses, goose_db_version TO waybill_app;
GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO waybill_app;

REVOKE EXECUTE ON FUNCTION find_api_key(text), find_organization(text), sequence_events(integer), create_order_serial() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION find_api_key(text), find_organization(text), sequence_events(integer) TO waybill_app;
