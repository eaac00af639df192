-- Idempotency keys, tallies of messages, challenges of signing in and failures to
-- sign in are no use to anybody after a moment.
CREATE OR REPLACE FUNCTION forget_keys(before timestamptz, batch integer, dry boolean, OUT counted integer)
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
    SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off
AS $$
BEGIN
    WITH doomed AS MATERIALIZED (
        SELECT k.org_id, k.operation, k.caller, k.key FROM idempotency_keys k
        WHERE k.expires_at < before ORDER BY k.expires_at LIMIT batch FOR UPDATE SKIP LOCKED
    ), gone AS (
        DELETE FROM idempotency_keys k USING doomed d
        WHERE NOT dry AND k.org_id = d.org_id AND k.operation = d.operation AND k.caller = d.caller AND k.key = d.key
    ) SELECT count(*) INTO counted FROM doomed;
END
$$;

REVOKE EXECUTE ON FUNCTION forget_keys FROM PUBLIC;
GRANT EXECUTE ON FUNCTION forget_keys TO waybill_app;
