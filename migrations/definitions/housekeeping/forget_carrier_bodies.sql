-- What a carrier's report says stays; only its wording goes.
CREATE OR REPLACE FUNCTION forget_carrier_bodies(before timestamptz, batch integer, dry boolean, OUT counted integer)
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
    SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off
AS $$
BEGIN
    WITH doomed AS MATERIALIZED (
        SELECT u.org_id, u.id FROM external_updates u WHERE u.received_at < before AND u.raw_body <> ''
        ORDER BY u.received_at LIMIT batch
    ), emptied AS (
        UPDATE external_updates u SET raw_body = '' FROM doomed d WHERE NOT dry AND u.org_id = d.org_id AND u.id = d.id
    ) SELECT count(*) INTO counted FROM doomed;
END
$$;

REVOKE EXECUTE ON FUNCTION forget_carrier_bodies FROM PUBLIC;
GRANT EXECUTE ON FUNCTION forget_carrier_bodies TO waybill_app;
