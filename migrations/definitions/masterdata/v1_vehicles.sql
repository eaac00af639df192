-- A vehicle's limits are its own, else those of its type.
CREATE OR REPLACE VIEW v1_vehicles WITH (security_invoker = true) AS
SELECT v.org_id, v.id, 0 AS place, v.is_active, jsonb_build_object(
    'id', v.id, 'registration', v.registration, 'name', v.name,
    'vehicle_type', jsonb_build_object('id', t.id, 'name', t.name),
    'max_weight_kg', coalesce(v.max_weight_kg, t.max_weight_kg),
    'max_volume_m3', coalesce(v.max_volume_m3, t.max_volume_m3), 'max_route_km', coalesce(v.max_route_km, t.max_route_km),
    'max_loads', vehicle_loads(v.max_loads, t.max_loads),
    'own_limits', jsonb_build_object('max_weight_kg', v.max_weight_kg, 'max_volume_m3', v.max_volume_m3,
        'max_route_km', v.max_route_km, 'max_loads', coalesce(v.max_loads, '[]')),
    'home_location_id', v.home_location_id,
    'skills', coalesce((
        SELECT jsonb_agg(s.name ORDER BY lower(s.name)) FROM vehicle_skills k
        JOIN skills s ON s.org_id = k.org_id AND s.id = k.skill_id
        WHERE k.org_id = v.org_id AND k.vehicle_id = v.id), '[]'),
    'is_active', v.is_active, 'source', v.source, 'created_at', iso_utc(v.created_at), 'updated_at', iso_utc(v.updated_at)
) AS document
FROM vehicles v JOIN vehicle_types t ON t.org_id = v.org_id AND t.id = v.vehicle_type_id;

GRANT SELECT ON v1_vehicles TO waybill_app;
