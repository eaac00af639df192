-- The profile by which travel times of a type of vehicle are asked for and kept: its mode, or the
-- key of its class, as vehicle.Class.Key writes it. Bikes have no class.
CREATE OR REPLACE FUNCTION vehicle_profile(t vehicle_types) RETURNS text
    LANGUAGE sql IMMUTABLE
AS $$
    SELECT CASE WHEN t.travels_as = 'BIKE' OR k.class = '' THEN t.travels_as ELSE lower(t.travels_as) || k.class END
    FROM (SELECT concat(
        '-h' || ceil(t.height_m * 100 - 0.000001), '-w' || ceil(t.width_m * 100 - 0.000001),
        '-l' || ceil(t.length_m * 100 - 0.000001), '-t' || ceil(t.gross_weight_kg - 0.000001),
        '-a' || ceil(t.axle_load_kg - 0.000001), '-v' || floor(t.top_speed_kmh),
        CASE WHEN t.hazardous_goods THEN '-hazmat' END, CASE WHEN t.avoids_ferries THEN '-noferry' END,
        CASE WHEN t.avoids_tolls THEN '-notoll' END) AS class) k
$$;
