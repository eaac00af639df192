CREATE OR REPLACE FUNCTION forget_template_changes(before timestamptz, batch integer, dry boolean, OUT counted integer)
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
    SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off
AS $$
BEGIN
    WITH doomed AS MATERIALIZED (
        SELECT c.org_id, c.id FROM recurring_order_changes c WHERE c.created_at < before ORDER BY c.created_at LIMIT batch
    ), gone AS (
        DELETE FROM recurring_order_changes c USING doomed d WHERE NOT dry AND c.org_id = d.org_id AND c.id = d.id
    ) SELECT count(*) INTO counted FROM doomed;
END
$$;

REVOKE EXECUTE ON FUNCTION forget_template_changes FROM PUBLIC;
GRANT EXECUTE ON FUNCTION forget_template_changes TO waybill_app;
