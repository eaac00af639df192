-- name: LoadTravelLegs :many
-- The recent legs between cells that begin or end at a fresh one.
SELECT from_cell, to_cell, seconds, meters FROM travel_legs
WHERE org_id = @org_id AND provider = @provider AND profile = @profile
  AND (from_cell = ANY (@fresh::bigint[]) AND to_cell = ANY (@cells::bigint[])
    OR from_cell = ANY (@cells::bigint[]) AND to_cell = ANY (@fresh::bigint[]))
  AND found_at > now() - make_interval(secs => @keep_seconds::float8);

-- name: SaveTravelLegs :exec
INSERT INTO travel_legs AS t (org_id, provider, profile, from_cell, to_cell, seconds, meters)
SELECT @org_id, @provider, @profile, x.from_cell, x.to_cell, x.seconds, x.meters
FROM (SELECT unnest(@from_cells::bigint[]) AS from_cell, unnest(@to_cells::bigint[]) AS to_cell,
    unnest(@seconds::int[]) AS seconds, unnest(@meters::int[]) AS meters) x
ORDER BY x.from_cell, x.to_cell
ON CONFLICT (org_id, provider, profile, from_cell, to_cell) DO UPDATE SET
    seconds = excluded.seconds, meters = excluded.meters, found_at = excluded.found_at;

-- name: ForgetTravelLegs :exec
-- Deletes some of an organization's expired legs.
DELETE FROM travel_legs t USING (
    SELECT o.provider, o.profile, o.from_cell, o.to_cell FROM travel_legs o
    WHERE o.org_id = @org_id AND o.found_at <= now() - make_interval(secs => @keep_seconds::float8)
    ORDER BY o.found_at LIMIT @at_most::int FOR UPDATE SKIP LOCKED
) old
WHERE t.org_id = @org_id AND (t.provider, t.profile, t.from_cell, t.to_cell)
    = (old.provider, old.profile, old.from_cell, old.to_cell);

-- name: LegsToDraw :many
-- The legs of a plan whose ways a provider has not drawn lately. Where it found none, it is
-- asked again after an hour.
SELECT DISTINCT l.profile::text AS profile, l.from_place::bigint AS from_place, l.to_place::bigint AS to_place,
    l.from_latitude::float8 AS from_latitude, l.from_longitude::float8 AS from_longitude,
    l.to_latitude::float8 AS to_latitude, l.to_longitude::float8 AS to_longitude
FROM plans p CROSS JOIN LATERAL legs_of_plan(p.org_id, p.id, NULL) l
WHERE p.org_id = @org_id AND p.day = @day::date AND coalesce(p.department_id, 0) = @department_id::bigint
  AND p.travel = @provider AND l.from_place <> l.to_place
  AND NOT EXISTS (SELECT FROM travel_ways w
    WHERE w.org_id = @org_id AND w.provider = @provider AND w.profile = l.profile AND w.from_place = l.from_place
      AND w.to_place = l.to_place AND w.found_at > now() - make_interval(
          secs => CASE WHEN w.polyline IS NULL THEN @retry_seconds::float8 ELSE @keep_seconds::float8 END));

-- name: SaveTravelWays :exec
-- An empty polyline is none.
INSERT INTO travel_ways AS t (org_id, provider, profile, from_place, to_place, polyline, seconds, meters, version)
SELECT @org_id, @provider, x.profile, x.from_place, x.to_place, nullif(x.polyline, ''), x.seconds, x.meters, x.version
FROM (SELECT unnest(@profiles::text[]) AS profile, unnest(@from_places::bigint[]) AS from_place,
    unnest(@to_places::bigint[]) AS to_place, unnest(@polylines::text[]) AS polyline, unnest(@seconds::int[]) AS seconds,
    unnest(@meters::int[]) AS meters, unnest(@versions::text[]) AS version) x
ORDER BY x.profile, x.from_place, x.to_place
ON CONFLICT (org_id, provider, profile, from_place, to_place) DO UPDATE SET polyline = excluded.polyline,
    seconds = excluded.seconds, meters = excluded.meters, version = excluded.version, found_at = excluded.found_at;

-- name: ForgetTravelWays :exec
-- Deletes some of an organization's expired ways.
DELETE FROM travel_ways t USING (
    SELECT o.provider, o.profile, o.from_place, o.to_place FROM travel_ways o
    WHERE o.org_id = @org_id AND o.found_at <= now() - make_interval(secs => @keep_seconds::float8)
    ORDER BY o.found_at LIMIT @at_most::int FOR UPDATE SKIP LOCKED
) old
WHERE t.org_id = @org_id AND (t.provider, t.profile, t.from_place, t.to_place)
    = (old.provider, old.profile, old.from_place, old.to_place);

-- name: WaysOfRoutes :many
-- The legs of routes with their ways, in sequence. The routes are pairs of a plan and a driver.
SELECT r.plan_id::bigint AS plan_id, w.driver_id::bigint AS driver_id, w.seq::int AS seq,
    coalesce(w.polyline, '')::text AS polyline
FROM (SELECT x.plan_id, array_agg(x.driver_id) AS driver_ids
    FROM (SELECT unnest(@plan_ids::bigint[]) AS plan_id, unnest(@driver_ids::bigint[]) AS driver_id) x
    GROUP BY x.plan_id) r
CROSS JOIN LATERAL ways_of_plan(@org_id::bigint, r.plan_id, r.driver_ids) w
ORDER BY r.plan_id, w.driver_id, w.seq;
