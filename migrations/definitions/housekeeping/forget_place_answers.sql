-- Answers of geocoding providers that are no longer valid.
CREATE OR REPLACE FUNCTION forget_place_answers(before timestamptz, batch integer, dry boolean, OUT counted integer)
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
    SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off
AS $$
BEGIN
    WITH expired AS MATERIALIZED (
        SELECT a.org_id, a.key FROM place_answers a WHERE a.expires_at < before ORDER BY a.expires_at LIMIT batch
    ), forgotten AS (
        DELETE FROM place_answers a USING expired e WHERE NOT dry AND a.org_id = e.org_id AND a.key = e.key
    ) SELECT count(*) INTO counted FROM expired;
END
$$;

REVOKE EXECUTE ON FUNCTION forget_place_answers FROM PUBLIC;
GRANT EXECUTE ON FUNCTION forget_place_answers TO waybill_app;
