CREATE OR REPLACE FUNCTION forget_tallies(before timestamptz, batch integer, dry boolean, OUT counted integer)
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
    SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off
AS $$
BEGIN
    WITH doomed AS MATERIALIZED (
        SELECT t.org_id, t.day, t.channel, t.receiver FROM message_tallies t
        WHERE t.day < (before AT TIME ZONE 'UTC')::date ORDER BY t.day LIMIT batch FOR UPDATE SKIP LOCKED
    ), gone AS (
        DELETE FROM message_tallies t USING doomed d
        WHERE NOT dry AND t.org_id = d.org_id AND t.day = d.day AND t.channel = d.channel AND t.receiver = d.receiver
    ) SELECT count(*) INTO counted FROM doomed;
END
$$;

REVOKE EXECUTE ON FUNCTION forget_tallies FROM PUBLIC;
GRANT EXECUTE ON FUNCTION forget_tallies TO waybill_app;
