-- Where a driver was from one moment to another: the positions of the telephone, and those of what
-- the driver did.
CREATE OR REPLACE FUNCTION driver_fixes(org bigint, driver bigint, from_at timestamptz, until_at timestamptz) RETURNS TABLE (
    at timestamptz, latitude double precision, longitude double precision, accuracy_meters double precision
) LANGUAGE sql STABLE
AS $$
    SELECT p.at, p.latitude, p.longitude, p.accuracy_meters FROM driver_positions p
    WHERE p.org_id = org AND p.driver_id = driver AND p.at BETWEEN driver_fixes.from_at AND driver_fixes.until_at
    UNION ALL
    SELECT a.occurred_at, a.latitude, a.longitude, a.accuracy_meters FROM driver_actions a
    WHERE a.org_id = org AND a.driver_id = driver AND a.occurred_at BETWEEN driver_fixes.from_at AND driver_fixes.until_at
      AND a.latitude IS NOT NULL
$$;
