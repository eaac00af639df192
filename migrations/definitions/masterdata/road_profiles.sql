-- The profiles by which the vehicles of all organizations travel, as road data are named, those of the
-- most organizations first. Each organization adds those of its vehicle types that it has the most
-- vehicles of, and at most so many.
CREATE OR REPLACE FUNCTION road_profiles(of_organization integer) RETURNS TABLE (profile text)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp
AS $$
    SELECT p.profile
    FROM (
        SELECT lower(vehicle_profile(t)) AS profile,
            row_number() OVER (PARTITION BY t.org_id ORDER BY count(v.id) DESC, min(t.id)) AS place
        FROM vehicle_types t
            JOIN organizations o ON o.id = t.org_id AND o.closed_at IS NULL
            LEFT JOIN vehicles v ON v.org_id = t.org_id AND v.vehicle_type_id = t.id AND v.is_active
        WHERE t.is_active OR v.id IS NOT NULL
        GROUP BY t.org_id, lower(vehicle_profile(t))) p
    WHERE p.place <= of_organization
    GROUP BY p.profile
    ORDER BY count(*) DESC, p.profile
$$;

REVOKE EXECUTE ON FUNCTION road_profiles FROM PUBLIC;
GRANT EXECUTE ON FUNCTION road_profiles TO waybill_app;
