-- The plan whose route a driver has begun on a day, or null. He has begun a route once he
-- has been at one of its stops. If only one plan has a route for him, it is enough that he
-- has started his day.
CREATE OR REPLACE FUNCTION begun_route(org bigint, driver bigint, day date) RETURNS bigint
    LANGUAGE plpgsql STABLE SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
    ids   bigint[];
    begun bigint;
BEGIN
    SELECT array_agg(p.id) INTO ids
    FROM plans p JOIN plan_routes r ON r.org_id = p.org_id AND r.plan_id = p.id AND r.driver_id = driver
    WHERE p.org_id = org AND p.day = begun_route.day;
    IF ids IS NULL THEN
        RETURN NULL;
    END IF;
    SELECT p.id INTO begun
    FROM plans p JOIN drivers d ON d.org_id = p.org_id AND d.id = driver
    WHERE p.org_id = org AND p.id = ANY (ids) AND EXISTS (
        SELECT FROM plan_stops s JOIN orders o ON o.org_id = s.org_id AND o.id = s.order_id
        WHERE s.org_id = org AND s.plan_id = p.id AND s.driver_id = driver
          AND o.driver_id = driver AND o.status_id BETWEEN 3 AND 7)
    ORDER BY p.department_id IS NOT DISTINCT FROM d.department_id, p.id LIMIT 1;
    IF begun IS NULL AND cardinality(ids) = 1 AND EXISTS (SELECT FROM driver_days y
        WHERE y.org_id = org AND y.driver_id = driver AND y.day = begun_route.day AND y.started_at IS NOT NULL) THEN
        RETURN ids[1];
    END IF;
    RETURN begun;
END
$$;
