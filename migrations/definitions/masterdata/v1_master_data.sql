-- All kinds of master data. Of a query that names a kind, Postgres runs only that part.
CREATE OR REPLACE VIEW v1_master_data WITH (security_invoker = true) AS
SELECT 'department'::text AS kind, d.org_id, d.id, d.place, d.is_active, d.document FROM v1_departments d
UNION ALL SELECT 'group', g.org_id, g.id, g.place, g.is_active, g.document FROM v1_groups g
UNION ALL SELECT 'skill', s.org_id, s.id, s.place, s.is_active, s.document FROM v1_skills s
UNION ALL SELECT 'vehicle_type', v.org_id, v.id, v.place, v.is_active, v.document FROM v1_vehicle_types v
UNION ALL SELECT 'order_type', t.org_id, t.id, t.place, t.is_active, t.document FROM v1_order_types t
UNION ALL SELECT 'zone', z.org_id, z.id, z.place, z.is_active, z.document FROM v1_zones z
UNION ALL SELECT 'freight_level', l.org_id, l.id, l.place, l.is_active, l.document FROM v1_freight_levels l
UNION ALL SELECT 'order_status', o.org_id, o.id, o.place, o.is_active, o.document FROM v1_order_statuses o
UNION ALL SELECT 'customer', c.org_id, c.id, c.place, c.is_active, c.document FROM v1_customers c
UNION ALL SELECT 'vehicle', e.org_id, e.id, e.place, e.is_active, e.document FROM v1_vehicles e
UNION ALL SELECT 'product', p.org_id, p.id, p.place, p.is_active, p.document FROM v1_products p
UNION ALL SELECT 'price_list', r.org_id, r.id, r.place, r.is_active, r.document FROM v1_price_lists r
UNION ALL SELECT 'notification_rule', n.org_id, n.id, n.place, n.is_active, n.document FROM v1_notification_rules n
UNION ALL SELECT 'calendar', k.org_id, k.id, k.place, k.is_active, k.document FROM v1_calendars k;

GRANT SELECT ON v1_master_data TO waybill_app;
