-- name: Regions :many
-- The regions that are in use.
SELECT r.name, r.version, r.west, r.south, r.east, r.north, r.fingerprint, r.road_bytes, r.tile_bytes, r.attribution, r.built_at,
    coalesce(s.addresses, 0)::bigint AS addresses
FROM regions r LEFT JOIN place_sources s ON s.name = r.name
ORDER BY r.name;

-- name: RoadProfiles :many
-- The profiles that vehicles have, those of the most organizations first.
SELECT p.profile::text AS profile FROM road_profiles(sqlc.arg(of_organization)::integer) p;
