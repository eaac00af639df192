-- How many active records refer to a record of master data. Rights and policies
-- are those of whoever calls it.
CREATE OR REPLACE FUNCTION uses_of_master_data(org bigint, kind text, record bigint) RETURNS bigint
    LANGUAGE sql STABLE
AS $$
    SELECT CASE uses_of_master_data.kind
    WHEN 'department' THEN
        (SELECT count(*) FROM customers c WHERE c.org_id = org AND c.department_id = record AND c.is_active)
        + (SELECT count(*) FROM drivers d WHERE d.org_id = org AND d.department_id = record AND d.is_active)
    WHEN 'vehicle_type' THEN
        (SELECT count(*) FROM vehicles v WHERE v.org_id = org AND v.vehicle_type_id = record AND v.is_active)
    WHEN 'vehicle' THEN
        (SELECT count(*) FROM drivers d WHERE d.org_id = org AND d.vehicle_id = record AND d.is_active)
        + (SELECT count(*) FROM plan_routes r JOIN plans p ON p.org_id = r.org_id AND p.id = r.plan_id
            WHERE r.org_id = org AND r.vehicle_id = record AND p.day >= current_date)
    WHEN 'zone' THEN
        (SELECT count(*) FROM schedule_intervals i WHERE i.org_id = org AND i.is_active AND EXISTS (
            SELECT FROM schedule_interval_zones z
            WHERE z.org_id = org AND z.interval_id = i.id AND record IN (z.from_zone_id, z.to_zone_id)))
        + (SELECT count(*) FROM price_lists l WHERE l.org_id = org AND l.is_active AND EXISTS (
            SELECT FROM price_list_lines p
            WHERE p.org_id = org AND p.price_list_id = l.id AND record IN (p.from_zone_id, p.to_zone_id)))
    WHEN 'freight_level' THEN
        (SELECT count(*) FROM schedule_intervals i WHERE i.org_id = org AND i.is_active AND EXISTS (
            SELECT FROM schedule_interval_freight_levels f
            WHERE f.org_id = org AND f.interval_id = i.id AND f.freight_level_id = record))
        + (SELECT count(*) FROM price_lists l WHERE l.org_id = org AND l.is_active AND EXISTS (
            SELECT FROM price_list_lines p
            WHERE p.org_id = org AND p.price_list_id = l.id AND p.freight_level_id = record))
    WHEN 'calendar' THEN
        (SELECT count(*) FROM departments d WHERE d.org_id = org AND d.calendar_id = record AND d.is_active)
        + (SELECT count(*) FROM customers c WHERE c.org_id = org AND c.calendar_id = record AND c.is_active)
        + (SELECT count(*) FROM locations l WHERE l.org_id = org AND l.calendar_id = record AND l.deleted_at IS NULL)
    ELSE 0 END
$$;

COMMENT ON FUNCTION uses_of_master_data IS 'How many active records refer to one.';
