-- Where a stop is, how well that is known, and from whom: the caller's coordinates, a person's pin,
-- the coordinates of its location, or the address register.
CREATE OR REPLACE FUNCTION stop_position(s order_stops) RETURNS jsonb LANGUAGE sql STABLE PARALLEL SAFE
RETURN CASE
    WHEN (s).latitude IS NOT NULL AND (s).longitude IS NOT NULL THEN jsonb_build_object(
        'latitude', (s).latitude, 'longitude', (s).longitude, 'precision', 'GIVEN', 'source', 'ORDER')
    WHEN (s).position ->> 'source' = 'PERSON' THEN (s).position
    ELSE coalesce(
        (SELECT jsonb_build_object('latitude', l.latitude, 'longitude', l.longitude, 'precision', 'GIVEN', 'source', 'LOCATION')
         FROM locations l WHERE l.org_id = (s).org_id AND l.id = (s).location_id
            AND l.latitude IS NOT NULL AND l.longitude IS NOT NULL),
        (s).position, '{"precision": "UNKNOWN"}')
    END;
