-- Deletes positions of drivers of before a moment, of all organizations, at most so
-- many, and returns how many. It goes along the key, driver by driver, so that no
-- index is kept for it; and round the policies, handing nothing out.
CREATE OR REPLACE FUNCTION forget_positions(before timestamptz, batch integer, dry boolean, OUT counted integer)
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
AS $$
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
END
$$;

REVOKE EXECUTE ON FUNCTION forget_positions FROM PUBLIC;
GRANT EXECUTE ON FUNCTION forget_positions TO waybill_app;
