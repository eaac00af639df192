CREATE OR REPLACE FUNCTION forget_sign_ins(before timestamptz, batch integer, dry boolean, OUT counted integer)
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
AS $$
BEGIN
    WITH challenged AS MATERIALIZED (
        SELECT c.id FROM sign_in_challenges c WHERE c.expires_at < before ORDER BY c.expires_at LIMIT batch
    ), gone AS (
        DELETE FROM sign_in_challenges c USING challenged d WHERE NOT dry AND c.id = d.id
    ), failed AS MATERIALIZED (
        SELECT f.subject FROM sign_in_failures f WHERE f.next_try_at < before LIMIT batch
    ), forgiven AS (
        DELETE FROM sign_in_failures f USING failed d WHERE NOT dry AND f.subject = d.subject
    ) SELECT (SELECT count(*) FROM challenged) + (SELECT count(*) FROM failed) INTO counted;
END
$$;

REVOKE EXECUTE ON FUNCTION forget_sign_ins FROM PUBLIC;
GRANT EXECUTE ON FUNCTION forget_sign_ins TO waybill_app;
