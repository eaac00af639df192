-- The legs of a plan's routes, of some drivers or, with null, of all, with their ways along
-- streets; a polyline is null where none is known. A way is believed for thirty days.
CREATE OR REPLACE FUNCTION ways_of_plan(org bigint, plan bigint, drivers bigint[]) RETURNS TABLE (
    driver_id bigint, seq integer, polyline text, seconds integer, meters integer
) LANGUAGE sql STABLE
AS $$
    SELECT l.driver_id, l.seq, w.polyline, w.seconds, w.meters
    FROM legs_of_plan(org, plan, drivers) l
    LEFT JOIN travel_ways w ON w.org_id = org AND w.provider = l.provider AND w.profile = l.profile
        AND w.from_place = l.from_place AND w.to_place = l.to_place AND w.found_at > now() - interval '30 days'
$$;
