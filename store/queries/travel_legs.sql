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
