-- Attempts and what was given up, and endpoints that were removed.
CREATE OR REPLACE FUNCTION forget_webhooks(before timestamptz, batch integer, dry boolean, OUT counted integer)
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
    SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off
AS $$
BEGIN
    WITH tried AS MATERIALIZED (
        SELECT a.org_id, a.endpoint_id, a.id FROM webhook_attempts a WHERE a.at < before ORDER BY a.at LIMIT batch
    ), untold AS (
        DELETE FROM webhook_attempts a USING tried d
        WHERE NOT dry AND a.org_id = d.org_id AND a.endpoint_id = d.endpoint_id AND a.id = d.id
    ), given_up AS MATERIALIZED (
        SELECT v.org_id, v.endpoint_id, v.position, v.place FROM webhook_deliveries v
        WHERE v.gave_up_at < before ORDER BY v.gave_up_at LIMIT batch
    ), forgotten AS (
        DELETE FROM webhook_deliveries v USING given_up d
        WHERE NOT dry AND v.org_id = d.org_id AND v.endpoint_id = d.endpoint_id AND v.position = d.position AND v.place = d.place
    ) SELECT (SELECT count(*) FROM tried) + (SELECT count(*) FROM given_up) INTO counted;
    IF counted = 0 THEN
        WITH removed AS MATERIALIZED (
            SELECT e.org_id, e.id FROM webhook_endpoints e WHERE e.deleted_at < before LIMIT 10
        ), gone AS (
            DELETE FROM webhook_endpoints e USING removed d WHERE NOT dry AND e.org_id = d.org_id AND e.id = d.id
        ) SELECT count(*) INTO counted FROM removed;
    END IF;
END
$$;

REVOKE EXECUTE ON FUNCTION forget_webhooks FROM PUBLIC;
GRANT EXECUTE ON FUNCTION forget_webhooks TO waybill_app;
