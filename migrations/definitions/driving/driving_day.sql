-- The day that an action of a driver at a moment belongs to: the day of the route that the driver
-- is on, also after midnight, or yesterday when only yesterday has a route. In a sandbox that
-- drives by itself, it is the simulated day.
CREATE OR REPLACE FUNCTION driving_day(org bigint, driver bigint, at timestamptz) RETURNS date
    LANGUAGE plpgsql STABLE SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
    today date;
BEGIN
    SELECT (driving_day.at AT TIME ZONE o.timezone)::date INTO today FROM organizations o WHERE o.id = org;
    RETURN coalesce(simulated_day(org, driving_day.at), night_under_way(org, driver, driving_day.at, false), (
        SELECT max(p.day) FROM plan_routes r JOIN plans p ON p.org_id = r.org_id AND p.id = r.plan_id
        WHERE r.org_id = org AND r.driver_id = driver AND p.day BETWEEN today - 1 AND today), today);
END
$$;
