-- The legs that drivers drove on the days of an organization, from the end of a stop to the arrival at the next one of the
-- route, with how long driving takes there by the road data. Those with a break in between are left out. A simulated
-- day has the times of its own clock.
CREATE OR REPLACE FUNCTION driven_travel(org bigint, first date, last date) RETURNS TABLE (
    day date, driver_id bigint, from_country text, from_code text, to_country text, to_code text, left_at timestamptz,
    arrived_at timestamptz, seconds integer
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
        SELECT d.id, d.day, s.driver_id, s.seq, coalesce(a.country, '') AS country, coalesce(a.postal_code, '') AS code,
            CASE WHEN d.pace IS NULL THEN t.arrived ELSE d.clock_from + (t.arrived - d.clock_since) * d.pace END AS arrived,
            CASE WHEN d.pace IS NULL THEN t.ended ELSE d.clock_from + (t.ended - d.clock_since) * d.pace END AS ended
        FROM days d
        JOIN plan_stops s ON s.org_id = org AND s.plan_id = d.id
        JOIN order_stops a ON a.org_id = org AND a.order_id = s.order_id AND a.kind = s.kind
        JOIN order_progress g ON g.org_id = org AND g.order_id = s.order_id
        CROSS JOIN LATERAL (SELECT
            CASE s.kind WHEN 'pickup' THEN g.pickup_arrived_at ELSE g.delivery_arrived_at END AS arrived,
            CASE s.kind WHEN 'pickup' THEN g.pickup_ended_at ELSE g.delivery_ended_at END AS ended) t
        WHERE t.ended IS NOT NULL
    ), legs AS (
        SELECT s.*, lag(s.seq) OVER route AS before, lag(s.ended) OVER route AS left_at, lag(s.country) OVER route AS from_country,
            lag(s.code) OVER route AS from_code
        FROM stops s WINDOW route AS (PARTITION BY s.id, s.driver_id ORDER BY s.ended, s.seq)
    )
    SELECT l.day, l.driver_id, l.from_country, l.from_code, l.country, l.code, l.left_at, l.arrived, w.seconds
    FROM legs l
    JOIN (SELECT d.id, w.driver_id, w.seq, w.seconds FROM days d CROSS JOIN LATERAL ways_of_plan(org, d.id, NULL) w
        WHERE w.seconds > 0) w ON w.id = l.id AND w.driver_id = l.driver_id AND w.seq = l.seq
    JOIN plan_routes r ON r.org_id = org AND r.plan_id = l.id AND r.driver_id = l.driver_id
    WHERE l.before = l.seq - 1 AND l.arrived > l.left_at AND NOT EXISTS (
        SELECT FROM jsonb_array_elements(r.breaks) b
        WHERE (b ->> 'starts')::timestamptz < l.arrived AND (b ->> 'ends')::timestamptz > l.left_at)
    ORDER BY l.day, l.driver_id, l.left_at
$$;
