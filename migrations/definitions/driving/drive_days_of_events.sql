-- Returns the drivers' days that events concern, each once: those of drivers who have acted on
-- the day before. times are those at which the events were recorded. The follower serves all
-- organizations, so this bypasses row-level security; it returns only identifiers.
CREATE OR REPLACE FUNCTION drive_days_of_events(orgs bigint[], events bigint[], times timestamptz[])
RETURNS TABLE (org_id bigint, driver_id bigint, day date)
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp SET jit = off
AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    SELECT DISTINCT x.org_id, x.driver_id, driving_day(x.org_id, x.driver_id, x.at)
    FROM (
        SELECT e.org_id, coalesce(e.driver_id, o.driver_id) AS driver_id, coalesce(e.occurred_at, e.recorded_at) AS at
        FROM unnest(drive_days_of_events.orgs, drive_days_of_events.events, drive_days_of_events.times) AS w (org_id, id, at)
        JOIN events e ON e.org_id = w.org_id AND e.id = w.id AND e.recorded_at = w.at
        LEFT JOIN orders o ON o.org_id = e.org_id AND o.id = e.order_id
    ) x
    WHERE x.driver_id IS NOT NULL AND EXISTS (SELECT FROM driver_actions a
        WHERE a.org_id = x.org_id AND a.driver_id = x.driver_id
          AND a.occurred_at BETWEEN x.at - interval '24 hours' AND x.at + interval '1 hour')
    ORDER BY 1, 2, 3;
END
$$;

REVOKE EXECUTE ON FUNCTION drive_days_of_events FROM PUBLIC;
GRANT EXECUTE ON FUNCTION drive_days_of_events TO waybill_app;
