-- The plan whose route a driver has on a day, or null if he has none.
CREATE OR REPLACE FUNCTION route_of_day(org bigint, driver bigint, day date) RETURNS bigint
    LANGUAGE plpgsql STABLE SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
    ids bigint[];
BEGIN
    SELECT array_agg(p.id) INTO ids
    FROM plans p JOIN plan_routes r ON r.org_id = p.org_id AND r.plan_id = p.id AND r.driver_id = driver
    WHERE p.org_id = org AND p.day = route_of_day.day;
    IF coalesce(cardinality(ids), 0) <= 1 THEN
        RETURN ids[1];
    END IF;
    RETURN coalesce(begun_route(org, driver, route_of_day.day), (
        SELECT p.id FROM plans p JOIN drivers d ON d.org_id = p.org_id AND d.id = driver
        WHERE p.org_id = org AND p.id = ANY (ids)
        ORDER BY p.department_id IS NOT DISTINCT FROM d.department_id DESC, p.id DESC LIMIT 1));
END
$$;
