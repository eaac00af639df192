-- name: LoadTravelBlocks :many
-- The recent blocks with legs between cells that begin or end at a fresh one, those that count more last. A
-- block of which less than a twentieth is of use takes longer to read than to be asked for again.
SELECT x.from_cells, x.to_cells, x.from_meters, x.to_meters, x.legs, x.corrected
FROM (SELECT b.* FROM (
        SELECT c.block_id, count(*) FILTER (WHERE c.sides & 1 > 0) AS begins, count(*) FILTER (WHERE c.sides & 2 > 0) AS ends
        FROM travel_block_cells c
        WHERE c.org_id = @org_id AND c.cell = ANY (@cells::bigint[]) AND c.block_id IN (
            SELECT f.block_id FROM travel_block_cells f WHERE f.org_id = @org_id AND f.cell = ANY (@fresh::bigint[]))
        GROUP BY c.block_id) o
    JOIN travel_blocks b ON b.org_id = @org_id AND b.id = o.block_id
    WHERE b.provider = @provider AND b.profile = @profile AND b.version = @version
      AND b.found_at > now() - make_interval(secs => @keep_seconds::float8)
      AND o.begins * o.ends * 20 >= cardinality(b.from_cells)::bigint * cardinality(b.to_cells)
    ORDER BY b.found_at DESC, b.id DESC LIMIT @at_most::int) x
ORDER BY x.corrected, x.found_at, x.id;

-- name: SaveTravelBlock :exec
WITH block AS (
    INSERT INTO travel_blocks (org_id, provider, profile, version, from_cells, to_cells, from_meters, to_meters, legs, corrected)
    VALUES (@org_id, @provider, @profile, @version, @from_cells::bigint[], @to_cells::bigint[], @from_meters::bigint[],
        @to_meters::bigint[], @legs, @corrected)
    RETURNING id
)
INSERT INTO travel_block_cells (org_id, block_id, cell, sides)
SELECT @org_id, block.id, x.cell, bit_or(x.side)::smallint
FROM block, (SELECT unnest(@from_cells::bigint[]) AS cell, 1 AS side
    UNION ALL SELECT unnest(@to_cells::bigint[]), 2) x
GROUP BY block.id, x.cell;

-- name: ForgetTravelBlocks :exec
-- Deletes some of an organization's expired blocks, and some of those that are too many.
DELETE FROM travel_blocks t USING (
    (SELECT o.id FROM travel_blocks o
    WHERE o.org_id = @org_id AND o.found_at <= now() - make_interval(secs => @keep_seconds::float8)
    ORDER BY o.found_at LIMIT @at_most::int)
    UNION (SELECT o.id FROM travel_blocks o WHERE o.org_id = @org_id
    ORDER BY o.found_at DESC OFFSET @most::int LIMIT @at_most::int)
) old
WHERE t.org_id = @org_id AND t.id = old.id;

-- name: LegsToDraw :many
-- The legs of a plan whose ways a provider has not drawn lately, with the time that the plan has for them,
-- or -1 for the way to the end and within a visit. Where it found none, it is
-- asked again after an hour.
SELECT DISTINCT l.profile::text AS profile, l.from_place::bigint AS from_place, l.to_place::bigint AS to_place,
    l.from_latitude::float8 AS from_latitude, l.from_longitude::float8 AS from_longitude,
    l.to_latitude::float8 AS to_latitude, l.to_longitude::float8 AS to_longitude,
    coalesce((SELECT s.driving_seconds FROM plan_stops s WHERE s.org_id = p.org_id AND s.plan_id = p.id
        AND s.driver_id = l.driver_id AND s.seq = l.seq AND NOT s.joined), -1)::bigint AS planned_seconds
FROM plans p CROSS JOIN LATERAL legs_of_plan(p.org_id, p.id, NULL) l
WHERE p.org_id = @org_id AND p.day = @day::date AND coalesce(p.department_id, 0) = @department_id::bigint
  AND p.travel = @provider AND l.from_place <> l.to_place
  AND NOT EXISTS (SELECT FROM travel_ways w
    WHERE w.org_id = @org_id AND w.provider = @provider AND w.profile = l.profile AND w.from_place = l.from_place
      AND w.to_place = l.to_place AND w.found_at > now() - make_interval(
          secs => CASE WHEN w.polyline IS NULL THEN @retry_seconds::float8 ELSE @keep_seconds::float8 END));

-- name: SaveTravelWays :exec
-- An empty polyline is none.
INSERT INTO travel_ways AS t (org_id, provider, profile, from_place, to_place, polyline, seconds, meters, version,
    table_seconds)
SELECT @org_id, @provider, x.profile, x.from_place, x.to_place, nullif(x.polyline, ''), x.seconds, x.meters, x.version,
    nullif(x.table_seconds, -1)
FROM (SELECT unnest(@profiles::text[]) AS profile, unnest(@from_places::bigint[]) AS from_place,
    unnest(@to_places::bigint[]) AS to_place, unnest(@polylines::text[]) AS polyline, unnest(@seconds::int[]) AS seconds,
    unnest(@meters::int[]) AS meters, unnest(@versions::text[]) AS version,
    unnest(@table_seconds::bigint[]) AS table_seconds) x
ORDER BY x.profile, x.from_place, x.to_place
ON CONFLICT (org_id, provider, profile, from_place, to_place) DO UPDATE SET polyline = excluded.polyline,
    seconds = excluded.seconds, meters = excluded.meters, version = excluded.version, table_seconds = excluded.table_seconds,
    found_at = excluded.found_at;

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
-- The legs of routes with their ways, in sequence. A leg to a break has the sequence of the stop behind it. The routes are pairs of a plan and a driver.
SELECT r.plan_id::bigint AS plan_id, w.driver_id::bigint AS driver_id,
    (CASE WHEN w.seq < 0 THEN -w.seq / 64 ELSE w.seq END)::int AS seq, coalesce(w.polyline, '')::text AS polyline
FROM (SELECT x.plan_id, array_agg(x.driver_id) AS driver_ids
    FROM (SELECT unnest(@plan_ids::bigint[]) AS plan_id, unnest(@driver_ids::bigint[]) AS driver_id) x
    GROUP BY x.plan_id) r
CROSS JOIN LATERAL ways_of_plan(@org_id::bigint, r.plan_id, r.driver_ids) w
ORDER BY r.plan_id, w.driver_id, 3, w.seq > 0, -w.seq;
