-- name: Regions :many
-- The regions that are in use.
SELECT r.name, r.version, r.west, r.south, r.east, r.north, r.fingerprint, r.road_bytes, r.tile_bytes, r.attribution, r.built_at,
    coalesce(s.addresses, 0)::bigint AS addresses
FROM regions r LEFT JOIN place_sources s ON s.name = r.name
ORDER BY r.name;
