-- Forgets expired keys of all organizations, at most batch of them, and tells
-- how many. It hands nothing out.
CREATE OR REPLACE FUNCTION forget_idempotency_keys(batch integer) RETURNS integer
    LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp
AS $$
    WITH doomed AS (
        SELECT org_id, operation, caller, key FROM idempotency_keys
        WHERE expires_at < now() ORDER BY expires_at LIMIT batch FOR UPDATE SKIP LOCKED
    ), gone AS (
        DELETE FROM idempotency_keys k USING doomed d
        WHERE k.org_id = d.org_id AND k.operation = d.operation AND k.caller = d.caller AND k.key = d.key
        RETURNING 1
    )
    SELECT count(*)::integer FROM gone
$$;

REVOKE EXECUTE ON FUNCTION forget_idempotency_keys FROM PUBLIC;
GRANT EXECUTE ON FUNCTION forget_idempotency_keys TO waybill_app;
