-- Legs are replaced as long as somebody plans; those of an organization that plans
-- no more stay otherwise.
CREATE OR REPLACE FUNCTION forget_travel_legs(before timestamptz, batch integer, dry boolean, OUT counted integer)
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
    SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off
AS $$
BEGIN
    WITH doomed AS MATERIALIZED (
        SELECT l.* FROM organizations o CROSS JOIN LATERAL (
            SELECT t.org_id, t.provider, t.profile, t.from_cell, t.to_cell FROM travel_legs t
            WHERE t.org_id = o.id AND t.found_at < before ORDER BY t.found_at LIMIT batch) l
        LIMIT batch
    ), gone AS (
        DELETE FROM travel_legs t USING doomed d
        WHERE NOT dry AND t.org_id = d.org_id AND t.provider = d.provider AND t.profile = d.profile
            AND t.from_cell = d.from_cell AND t.to_cell = d.to_cell
    ) SELECT count(*) INTO counted FROM doomed;
END
$$;

REVOKE EXECUTE ON FUNCTION forget_travel_legs FROM PUBLIC;
GRANT EXECUTE ON FUNCTION forget_travel_legs TO waybill_app;
