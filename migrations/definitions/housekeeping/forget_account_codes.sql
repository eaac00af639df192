CREATE OR REPLACE FUNCTION forget_account_codes(before timestamptz, batch integer, dry boolean, OUT counted integer)
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
    SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off
AS $$
BEGIN
    WITH doomed AS MATERIALIZED (
        SELECT c.org_id, c.id FROM account_codes c WHERE c.expires_at < before ORDER BY c.expires_at LIMIT batch
    ), gone AS (
        DELETE FROM account_codes c USING doomed d WHERE NOT dry AND c.org_id = d.org_id AND c.id = d.id
    ) SELECT count(*) INTO counted FROM doomed;
END
$$;

REVOKE EXECUTE ON FUNCTION forget_account_codes FROM PUBLIC;
GRANT EXECUTE ON FUNCTION forget_account_codes TO waybill_app;
