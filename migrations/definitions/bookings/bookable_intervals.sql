-- The intervals that can be booked, with the names of what each is for.
CREATE OR REPLACE VIEW bookable_intervals WITH (security_invoker = true) AS
SELECT i.org_id, i.id, i.rrule, i.day, i.pickup_earliest, i.pickup_latest, i.delivery_earliest, i.delivery_latest, i.slots,
    (SELECT jsonb_agg(jsonb_build_object('id', t.id, 'name', t.name) ORDER BY t.id)
     FROM schedule_interval_order_types x JOIN order_types t ON t.org_id = x.org_id AND t.id = x.order_type_id
     WHERE x.org_id = i.org_id AND x.interval_id = i.id) AS order_types,
    (SELECT jsonb_agg(jsonb_build_object('from', jsonb_build_object('id', f.id, 'name', f.name),
        'to', jsonb_build_object('id', t.id, 'name', t.name)) ORDER BY f.id, t.id)
     FROM schedule_interval_zones x JOIN zones f ON f.org_id = x.org_id AND f.id = x.from_zone_id
     JOIN zones t ON t.org_id = x.org_id AND t.id = x.to_zone_id
     WHERE x.org_id = i.org_id AND x.interval_id = i.id) AS from_to_zones,
    (SELECT jsonb_agg(jsonb_build_object('id', l.id, 'name', l.name) ORDER BY l.seq, l.id)
     FROM schedule_interval_freight_levels x JOIN freight_levels l ON l.org_id = x.org_id AND l.id = x.freight_level_id
     WHERE x.org_id = i.org_id AND x.interval_id = i.id) AS freight_levels
FROM schedule_intervals i
WHERE i.is_active;

GRANT SELECT ON bookable_intervals TO waybill_app;
