-- name: ListVehicles :many
-- Limits are those of the vehicle, else of its type; NaN is none.
SELECT count(*) OVER () AS total, v.id, v.registration, v.name, v.vehicle_type_id, t.name AS vehicle_type,
    coalesce(v.max_weight_kg, t.max_weight_kg, 'NaN')::float8 AS max_weight_kg,
    coalesce(v.max_volume_m3, t.max_volume_m3, 'NaN')::float8 AS max_volume_m3,
    coalesce(v.max_route_km, t.max_route_km, 'NaN')::float8 AS max_route_km, v.home_location_id, v.is_active, v.created_at,
    v.updated_at, ARRAY(
        SELECT s.name FROM vehicle_skills k JOIN skills s ON s.org_id = k.org_id AND s.id = k.skill_id
        WHERE k.org_id = v.org_id AND k.vehicle_id = v.id ORDER BY lower(s.name)
    )::text[] AS skills
FROM vehicles v JOIN vehicle_types t ON t.org_id = v.org_id AND t.id = v.vehicle_type_id
WHERE v.org_id = @org_id AND (sqlc.narg('id')::bigint IS NULL OR v.id = sqlc.narg('id')::bigint)
  AND (sqlc.narg('is_active')::boolean IS NULL OR v.is_active = sqlc.narg('is_active')::boolean)
ORDER BY v.id
LIMIT @page_size::int OFFSET @skip::int;
