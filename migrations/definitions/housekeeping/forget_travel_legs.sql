-- Legs and their ways are replaced as long as somebody plans; those of an organization that
-- plans no more stay otherwise.
CREATE OR REPLACE FUNCTION forget_travel_legs(before timestamptz, batch integer, dry boolean, OUT counted integer)
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
    SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off
AS $$
DECLARE
    ways integer;
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
    WITH doomed AS MATERIALIZED (
        SELECT l.* FROM organizations o CROSS JOIN LATERAL (
            SELECT w.org_id, w.provider, w.profile, w.from_place, w.to_place FROM travel_ways w
            WHERE w.org_id = o.id AND w.found_at < before ORDER BY w.found_at LIMIT batch) l
        LIMIT batch
    ), gone AS (
        DELETE FROM travel_ways w USING doomed d
        WHERE NOT dry AND w.org_id = d.org_id AND w.provider = d.provider AND w.profile = d.profile
            AND w.from_place = d.from_place AND w.to_place = d.to_place
    ) SELECT count(*) INTO ways FROM doomed;
    counted := counted + ways;
    WITH doomed AS MATERIALIZED (
        SELECT l.* FROM organizations o CROSS JOIN LATERAL (
            SELECT b.org_id, b.id FROM travel_blocks b
            WHERE b.org_id = o.id AND b.found_at < before ORDER BY b.found_at LIMIT batch) l
        LIMIT batch
    ), gone AS (
        DELETE FROM travel_blocks b USING doomed d
        WHERE NOT dry AND b.org_id = d.org_id AND b.id = d.id
    ) SELECT count(*) INTO ways FROM doomed;
    counted := counted + ways;
END
$$;

REVOKE EXECUTE ON FUNCTION forget_travel_legs FROM PUBLIC;
GRANT EXECUTE ON FUNCTION forget_travel_legs TO waybill_app;
