CREATE OR REPLACE VIEW v1_vehicle_types WITH (security_invoker = true) AS
SELECT t.org_id, t.id, 0 AS place, t.is_active, jsonb_build_object(
    'id', t.id, 'name', t.name, 'max_weight_kg', t.max_weight_kg, 'max_volume_m3', t.max_volume_m3,
    'max_route_km', t.max_route_km, 'max_stops', t.max_stops, 'max_driving_minutes', t.max_driving_minutes, 'max_loads', coalesce(t.max_loads, '[]'), 'driving_rule', t.driving_rule, 'extra_setup_seconds', t.extra_setup_seconds, 'travels_as', t.travels_as, 'also_serves', coalesce((
        SELECT jsonb_agg(s.served_type_id ORDER BY s.served_type_id) FROM vehicle_type_also_serves s
        WHERE s.org_id = t.org_id AND s.vehicle_type_id = t.id), '[]'),
    'height_m', t.height_m, 'width_m', t.width_m, 'length_m', t.length_m, 'gross_weight_kg', t.gross_weight_kg,
    'axle_load_kg', t.axle_load_kg, 'top_speed_kmh', t.top_speed_kmh, 'hazardous_goods', t.hazardous_goods,
    'avoids_ferries', t.avoids_ferries, 'avoids_tolls', t.avoids_tolls, 'cost_per_shift', t.cost_per_shift,
    'cost_per_hour', t.cost_per_hour, 'cost_per_km', t.cost_per_km, 'is_active', t.is_active, 'source', t.source) AS document
FROM vehicle_types t;

GRANT SELECT ON v1_vehicle_types TO waybill_app;
