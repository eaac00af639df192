-- Events that a follower left out: what they were about is gone with them.
CREATE OR REPLACE FUNCTION forget_parked_events(before timestamptz, batch integer, dry boolean, OUT counted integer)
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
AS $$
BEGIN
    WITH doomed AS MATERIALIZED (
        SELECT p.org_id, p.follower, p.event_id FROM parked_events p WHERE p.parked_at < before LIMIT batch
    ), gone AS (
        DELETE FROM parked_events p USING doomed d
        WHERE NOT dry AND p.org_id = d.org_id AND p.follower = d.follower AND p.event_id = d.event_id
    ) SELECT count(*) INTO counted FROM doomed;
END
$$;

REVOKE EXECUTE ON FUNCTION forget_parked_events FROM PUBLIC;
GRANT EXECUTE ON FUNCTION forget_parked_events TO waybill_app;
