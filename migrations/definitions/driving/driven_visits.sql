-- The visits that drivers made on the days of an organization: orders in a row at one place, from the arrival to the end of
-- the last one, without what the type of the vehicle takes longer to set up. Left out are those of several locations, of
-- locations that are gone, those with a break, those that failed, those whose orders say how long they take, and those at which the driver waited
-- until a window began. A simulated day has the times of its own clock.
CREATE OR REPLACE FUNCTION driven_visits(org bigint, first date, last date) RETURNS TABLE (
    day date, driver_id bigint, location_id bigint, order_type_id bigint, orders integer, seconds integer
) LANGUAGE sql STABLE
AS $$
    WITH days AS MATERIALIZED (
        SELECT p.id, p.day, v.clock_from, v.clock_since, v.pace
        FROM plans p LEFT JOIN LATERAL (
            SELECT v.clock_from, v.clock_since, v.pace FROM sandbox_runs v
            WHERE v.org_id = org AND v.day = p.day AND v.clock_from IS NOT NULL ORDER BY v.id DESC LIMIT 1
        ) v ON true
        WHERE p.org_id = org AND p.day BETWEEN first AND last
    ), stops AS (
        SELECT d.id, d.day, s.driver_id, s.seq, s.latitude, s.longitude, s.setup_seconds, a.location_id, a.earliest,
            o.order_type_id, t.status = 'completed' AND a.estimated_time_on_location IS NULL AS tells,
            CASE WHEN d.pace IS NULL THEN t.arrived ELSE d.clock_from + (t.arrived - d.clock_since) * d.pace END AS arrived,
            CASE WHEN d.pace IS NULL THEN t.ended ELSE d.clock_from + (t.ended - d.clock_since) * d.pace END AS ended
        FROM days d
        JOIN plan_stops s ON s.org_id = org AND s.plan_id = d.id
        JOIN order_stops a ON a.org_id = org AND a.order_id = s.order_id AND a.kind = s.kind
        JOIN orders o ON o.org_id = org AND o.id = s.order_id
        JOIN order_progress g ON g.org_id = org AND g.order_id = s.order_id
        CROSS JOIN LATERAL (SELECT
            CASE s.kind WHEN 'pickup' THEN g.pickup_status ELSE g.delivery_status END AS status,
            CASE s.kind WHEN 'pickup' THEN g.pickup_arrived_at ELSE g.delivery_arrived_at END AS arrived,
            CASE s.kind WHEN 'pickup' THEN g.pickup_ended_at ELSE g.delivery_ended_at END AS ended) t
        WHERE t.ended IS NOT NULL
    ), places AS (
        SELECT s.*, (lag(s.latitude) OVER route, lag(s.longitude) OVER route) IS DISTINCT FROM (s.latitude, s.longitude) AS enters
        FROM stops s WINDOW route AS (PARTITION BY s.id, s.driver_id ORDER BY s.ended, s.seq)
    ), numbered AS (
        SELECT s.*, count(*) FILTER (WHERE s.enters) OVER (PARTITION BY s.id, s.driver_id ORDER BY s.ended, s.seq) AS visit
        FROM places s
    ), visits AS (
        SELECT s.id, s.day, s.driver_id, min(s.location_id) AS location_id, count(*)::integer AS orders,
            CASE WHEN min(s.order_type_id) = max(s.order_type_id) THEN min(s.order_type_id) ELSE 0 END AS order_type_id,
            min(s.arrived) AS arrived, max(s.ended) AS ended
        FROM numbered s GROUP BY s.id, s.day, s.driver_id, s.visit
        HAVING bool_and(s.tells) AND min(s.location_id) = max(s.location_id)
            -- Plans have drivers come so early that they are ready when a window begins.
            AND max(s.earliest) <= min(s.arrived) + (max(s.setup_seconds) + 60) * interval '1 second'
    )
    SELECT v.day, v.driver_id, v.location_id, v.order_type_id, v.orders,
        round(extract(epoch FROM v.ended - v.arrived) - coalesce(y.extra_setup_seconds, 0))::integer
    FROM visits v
    JOIN locations l ON l.org_id = org AND l.id = v.location_id AND l.deleted_at IS NULL
    JOIN plan_routes r ON r.org_id = org AND r.plan_id = v.id AND r.driver_id = v.driver_id
    LEFT JOIN vehicles h ON h.org_id = org AND h.id = r.vehicle_id
    LEFT JOIN vehicle_types y ON y.org_id = org AND y.id = h.vehicle_type_id
    WHERE v.ended > v.arrived AND NOT EXISTS (
        SELECT FROM jsonb_array_elements(r.breaks) b
        WHERE (b ->> 'starts')::timestamptz < v.ended AND (b ->> 'ends')::timestamptz > v.arrived)
    ORDER BY v.day, v.driver_id, v.arrived
$$;
