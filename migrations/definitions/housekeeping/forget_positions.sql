-- Deletes positions of drivers of before a moment, and the ways that were driven until then, of
-- all organizations, at most so many of each, and returns how many. It goes along the keys,
-- driver by driver; and round the policies, handing nothing out.
CREATE OR REPLACE FUNCTION forget_positions(before timestamptz, batch integer, dry boolean, OUT counted integer)
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
AS $$
DECLARE
    legs integer;
BEGIN
    WITH doomed AS MATERIALIZED (
        SELECT p.org_id, p.driver_id, p.at
        FROM driver_whereabouts w CROSS JOIN LATERAL (
            SELECT x.org_id, x.driver_id, x.at FROM driver_positions x
            WHERE x.org_id = w.org_id AND x.driver_id = w.driver_id AND x.at < forget_positions.before
            ORDER BY x.at LIMIT batch
        ) p
        LIMIT batch
    ), gone AS (
        DELETE FROM driver_positions p USING doomed d
        WHERE NOT dry AND p.org_id = d.org_id AND p.driver_id = d.driver_id AND p.at = d.at
    ) SELECT count(*) INTO counted FROM doomed;
    WITH doomed AS MATERIALIZED (
        SELECT l.org_id, l.driver_id, l.day, l.from_at
        FROM driver_whereabouts w CROSS JOIN LATERAL (
            SELECT x.org_id, x.driver_id, x.day, x.from_at FROM driven_legs x
            WHERE x.org_id = w.org_id AND x.driver_id = w.driver_id AND x.until_at < forget_positions.before
            ORDER BY x.until_at LIMIT batch
        ) l
        LIMIT batch
    ), gone AS (
        DELETE FROM driven_legs l USING doomed d
        WHERE NOT dry AND l.org_id = d.org_id AND l.driver_id = d.driver_id AND l.day = d.day AND l.from_at = d.from_at
    ) SELECT count(*) INTO legs FROM doomed;
    counted := counted + legs;
END
$$;

REVOKE EXECUTE ON FUNCTION forget_positions FROM PUBLIC;
GRANT EXECUTE ON FUNCTION forget_positions TO waybill_app;
