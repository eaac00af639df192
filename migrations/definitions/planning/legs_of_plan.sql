-- The legs of a plan's routes, of some drivers or, with null, of all. Each leads to the stop with
-- its sequence; one more leads to where the route ends, if that is known. A leg whose beginning
-- nobody knows, or that leads nowhere, has no places. A leg to the place of a break has the negative sequence of the
-- stop behind it, times 64, less the number of the break: the leg to the stop begins there. The number of a place says whether the vehicle stops on
-- its side of the street (curbsideBit in domain/planning). Where routes begin and end, either side will do.
CREATE OR REPLACE FUNCTION legs_of_plan(org bigint, plan bigint, drivers bigint[]) RETURNS TABLE (
    driver_id bigint, seq integer, provider text, profile text, from_latitude double precision,
    from_longitude double precision, to_latitude double precision, to_longitude double precision,
    from_place bigint, to_place bigint
) LANGUAGE sql STABLE
AS $$
    WITH routes AS MATERIALIZED (
        SELECT r.driver_id, r.breaks, p.travel, coalesce(vehicle_profile(t), 'CAR') AS profile,
            coalesce(a.latitude, (a.position ->> 'latitude')::float8) AS start_latitude,
            coalesce(a.longitude, (a.position ->> 'longitude')::float8) AS start_longitude,
            coalesce(z.latitude, (z.position ->> 'latitude')::float8) AS end_latitude,
            coalesce(z.longitude, (z.position ->> 'longitude')::float8) AS end_longitude
        FROM plans p
        JOIN plan_routes r ON r.org_id = p.org_id AND r.plan_id = p.id
        JOIN drivers d ON d.org_id = r.org_id AND d.id = r.driver_id
        LEFT JOIN driver_workdays w ON w.org_id = r.org_id AND w.driver_id = r.driver_id AND w.date = p.day
        LEFT JOIN vehicles v ON v.org_id = r.org_id AND v.id = r.vehicle_id
        LEFT JOIN vehicle_types t ON t.org_id = v.org_id AND t.id = v.vehicle_type_id
        LEFT JOIN locations a ON a.org_id = r.org_id
            AND a.id = coalesce(w.start_location_id, d.start_location_id, v.home_location_id)
        LEFT JOIN locations z ON z.org_id = r.org_id
            AND z.id = coalesce(w.end_location_id, d.end_location_id, v.home_location_id)
        WHERE p.org_id = org AND p.id = plan AND (drivers IS NULL OR r.driver_id = ANY (drivers))
    ), places AS (
        SELECT r.driver_id, 0 AS seq, 64 AS part, r.start_latitude AS latitude, r.start_longitude AS longitude,
            false AS curbside
        FROM routes r
        UNION ALL
        SELECT r.driver_id, coalesce((SELECT min(s.seq) FROM plan_stops s
                WHERE s.org_id = org AND s.plan_id = plan AND s.driver_id = r.driver_id
                  AND s.arrives_at > (x.rest ->> 'starts')::timestamptz),
            1 + (SELECT coalesce(max(s.seq), 0) FROM plan_stops s
                WHERE s.org_id = org AND s.plan_id = plan AND s.driver_id = r.driver_id)), least(x.n, 63)::int,
            (x.rest -> 'place' ->> 'latitude')::float8, (x.rest -> 'place' ->> 'longitude')::float8, false
        FROM routes r CROSS JOIN LATERAL jsonb_array_elements(r.breaks) WITH ORDINALITY x(rest, n)
        WHERE x.rest ? 'place'
        UNION ALL
        SELECT s.driver_id, s.seq, 64, s.latitude, s.longitude, s.curbside FROM routes r
        JOIN plan_stops s ON s.org_id = org AND s.plan_id = plan AND s.driver_id = r.driver_id
        UNION ALL
        SELECT r.driver_id, 1 + (SELECT coalesce(max(s.seq), 0) FROM plan_stops s
                WHERE s.org_id = org AND s.plan_id = plan AND s.driver_id = r.driver_id), 64, r.end_latitude,
            r.end_longitude, false
        FROM routes r WHERE r.end_latitude IS NOT NULL
    ), legs AS (
        SELECT l.driver_id, l.seq, l.part, lag(l.latitude) OVER way AS from_latitude, lag(l.longitude) OVER way AS from_longitude,
            lag(l.curbside) OVER way AS from_curbside, l.latitude, l.longitude, l.curbside
        FROM places l WINDOW way AS (PARTITION BY l.driver_id ORDER BY l.seq, l.part)
    )
    SELECT l.driver_id, CASE WHEN l.part < 64 THEN -64 * l.seq - l.part ELSE l.seq END, r.travel, r.profile, l.from_latitude, l.from_longitude, l.latitude, l.longitude,
        place_number(l.from_latitude, l.from_longitude) # (l.from_curbside::int::bigint << 62),
        place_number(l.latitude, l.longitude) # (l.curbside::int::bigint << 62)
    FROM legs l JOIN routes r ON r.driver_id = l.driver_id
    WHERE l.seq > 0
$$;
