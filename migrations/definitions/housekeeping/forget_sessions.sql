-- The telephone with which a driver did something is named by what he did.
CREATE OR REPLACE FUNCTION forget_sessions(before timestamptz, batch integer, dry boolean, OUT counted integer)
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
    SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off
AS $$
BEGIN
    WITH doomed AS MATERIALIZED (
        SELECT s.org_id, s.id FROM sessions s
        WHERE s.expires_at < before
          AND NOT EXISTS (SELECT FROM driver_actions a WHERE a.org_id = s.org_id AND a.device_id = s.id)
        ORDER BY s.expires_at LIMIT batch
    ), gone AS (
        DELETE FROM sessions s USING doomed d WHERE NOT dry AND s.org_id = d.org_id AND s.id = d.id
    ) SELECT count(*) INTO counted FROM doomed;
END
$$;

REVOKE EXECUTE ON FUNCTION forget_sessions FROM PUBLIC;
GRANT EXECUTE ON FUNCTION forget_sessions TO waybill_app;
