CREATE OR REPLACE FUNCTION forget_tracking_links(before timestamptz, batch integer, dry boolean, OUT counted integer)
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
    SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off
AS $$
BEGIN
    WITH doomed AS MATERIALIZED (
        SELECT l.org_id, l.code FROM tracking_links l WHERE l.expires_at < before ORDER BY l.expires_at LIMIT batch
    ), gone AS (
        DELETE FROM tracking_links l USING doomed d WHERE NOT dry AND l.org_id = d.org_id AND l.code = d.code
    ) SELECT count(*) INTO counted FROM doomed;
END
$$;

REVOKE EXECUTE ON FUNCTION forget_tracking_links FROM PUBLIC;
GRANT EXECUTE ON FUNCTION forget_tracking_links TO waybill_app;
