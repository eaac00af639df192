-- When a driver drove the legs of a day: each from the end of a stop, or of the start of the route,
-- to the end of the next stop, or of the route.
CREATE OR REPLACE FUNCTION driven_windows(org bigint, driver bigint, day date) RETURNS TABLE (
    from_at timestamptz, until_at timestamptz
) LANGUAGE sql STABLE
AS $$
    WITH route AS MATERIALIZED (
        SELECT r.plan_id, r.starts_at FROM plan_routes r
        WHERE r.org_id = org AND r.driver_id = driver AND r.plan_id = route_of_day(org, driver, driven_windows.day)
    ), moments AS (
        SELECT coalesce((SELECT y.started_at FROM driver_days y
            WHERE y.org_id = org AND y.driver_id = driver AND y.day = driven_windows.day), r.starts_at) AS at
        FROM route r
        UNION
        SELECT g.at FROM route r
        JOIN plan_stops p ON p.org_id = org AND p.plan_id = r.plan_id AND p.driver_id = driver
        CROSS JOIN LATERAL (
            SELECT CASE p.kind WHEN 'pickup' THEN g.pickup_ended_at ELSE g.delivery_ended_at END AS at FROM order_progress g
            WHERE g.org_id = p.org_id AND g.order_id = p.order_id OFFSET 0
        ) g
        UNION
        SELECT nullif(d.ended_at, '0001-01-01 00:00:00+00') FROM drive_day(org, driver, driven_windows.day) d
    ), legs AS (
        SELECT lag(m.at) OVER (ORDER BY m.at) AS from_at, m.at AS until_at FROM moments m WHERE m.at IS NOT NULL
    )
    SELECT l.from_at, l.until_at FROM legs l WHERE l.from_at IS NOT NULL
$$;
