-- +goose Up
-- Where master data comes from, and how it is looked up.

-- A record belongs to a document once one names it. Until then it belongs to
-- whoever made it: a key, a person at the console, or else the service itself,
-- which applies documents.
CREATE FUNCTION source_of_caller() RETURNS text
    LANGUAGE sql STABLE
    RETURN CASE split_part(coalesce(current_setting('app.actor', true), ''), ':', 1)
        WHEN 'key' THEN 'api' WHEN 'user' THEN 'console' ELSE 'document' END;
COMMENT ON FUNCTION source_of_caller() IS 'Where master data comes from that the caller makes.';

-- +goose StatementBegin
DO $$
DECLARE
    master text;
BEGIN
    FOREACH master IN ARRAY ARRAY['departments', 'customers', 'vehicle_types', 'order_types', 'carriers', 'skills',
        'order_groups', 'custom_field_definitions', 'transformation_rules', 'vehicles', 'drivers', 'zones',
        'freight_levels', 'schedule_intervals', 'price_lists', 'notification_rules']
    LOOP
        EXECUTE format('ALTER TABLE %I ADD COLUMN source text NOT NULL DEFAULT source_of_caller()
            CONSTRAINT %I CHECK (source IN (''document'', ''console'', ''api'', ''import''))', master, master || '_source_check');
    END LOOP;
END $$;
-- +goose StatementEnd

-- Only drivers and custom fields could be made in another way than by a
-- document, and only that left an event until now.
UPDATE drivers d SET source = 'api' WHERE EXISTS (
    SELECT FROM events e WHERE e.org_id = d.org_id AND e.subject_type = 'driver' AND e.subject_id = d.id
        AND e.kind = 'driver.created' AND (e.actor LIKE 'key:%' OR e.cause = 'before v0.2.0'));
UPDATE custom_field_definitions d SET source = 'api' WHERE EXISTS (
    SELECT FROM events e WHERE e.org_id = d.org_id AND e.subject_type = 'custom_field' AND e.subject_id = d.id
        AND e.kind = 'custom_field.created' AND (e.actor LIKE 'key:%' OR e.cause = 'before v0.2.0'));

ALTER TABLE departments ADD COLUMN is_active boolean NOT NULL DEFAULT true;

-- Master data as v1 shows it, a view per kind: place is what its list is sorted
-- by, before the id.
CREATE OR REPLACE VIEW v1_customers WITH (security_invoker = true) AS
SELECT c.org_id, c.id, c.external_id, c.business_name,
    jsonb_build_object(
        'customer_id', c.id, 'external_id', c.external_id, 'business_name', c.business_name,
        'department_id', c.department_id, 'email_address', c.email_address, 'phone_number', c.phone_number,
        'is_active', c.is_active, 'source', c.source,
        'created_at', iso_utc(c.created_at), 'updated_at', iso_utc(c.updated_at)
    ) AS document
FROM customers c;

CREATE VIEW v1_departments WITH (security_invoker = true) AS
SELECT org_id, id, 0 AS place, is_active,
    jsonb_build_object('id', id, 'name', name, 'is_active', is_active, 'source', source) AS document
FROM departments;

CREATE VIEW v1_groups WITH (security_invoker = true) AS
SELECT org_id, id, 0 AS place, is_active,
    jsonb_build_object('id', id, 'name', name, 'is_active', is_active, 'source', source) AS document
FROM order_groups;

CREATE VIEW v1_skills WITH (security_invoker = true) AS
SELECT org_id, id, 0 AS place, is_active,
    jsonb_build_object('id', id, 'name', name, 'is_active', is_active, 'source', source) AS document
FROM skills;

CREATE VIEW v1_vehicle_types WITH (security_invoker = true) AS
SELECT t.org_id, t.id, 0 AS place, t.is_active, jsonb_build_object(
    'id', t.id, 'name', t.name, 'max_weight_kg', t.max_weight_kg, 'max_volume_m3', t.max_volume_m3,
    'max_route_km', t.max_route_km, 'travels_as', t.travels_as, 'also_serves', coalesce((
        SELECT jsonb_agg(s.served_type_id ORDER BY s.served_type_id) FROM vehicle_type_also_serves s
        WHERE s.org_id = t.org_id AND s.vehicle_type_id = t.id), '[]'),
    'is_active', t.is_active, 'source', t.source) AS document
FROM vehicle_types t;

CREATE VIEW v1_order_types WITH (security_invoker = true) AS
SELECT org_id, id, 0 AS place, is_active, jsonb_build_object(
    'id', id, 'name', name, 'priority', priority, 'ready_from', clock_text(ready_from),
    'pick_up_before', clock_text(pick_up_before), 'deliver_before', clock_text(deliver_before), 'min_book_ahead_minutes', min_book_ahead_minutes,
    'max_book_ahead_minutes', max_book_ahead_minutes, 'export_carrier', export_carrier, 'is_active', is_active,
    'source', source) AS document
FROM order_types;

CREATE VIEW v1_zones WITH (security_invoker = true) AS
SELECT org_id, id, 0 AS place, is_active, jsonb_build_object(
    'id', id, 'name', name, 'areas', areas, 'is_active', is_active, 'source', source) AS document
FROM zones;

CREATE VIEW v1_freight_levels WITH (security_invoker = true) AS
SELECT org_id, id, seq AS place, is_active, jsonb_build_object(
    'id', id, 'name', name, 'position', seq, 'max_weight_kg', max_weight_kg, 'max_volume_m3', max_volume_m3,
    'max_colli', max_colli, 'is_active', is_active, 'source', source) AS document
FROM freight_levels;

-- The same for all organizations; active are those of orders that are still to
-- be carried out.
CREATE VIEW v1_order_statuses WITH (security_invoker = true) AS
SELECT o.id AS org_id, s.id::bigint AS id, 0 AS place, s.id <= 5 AS is_active, jsonb_build_object(
    'id', s.id, 'name', s.name, 'is_active', s.id <= 5) AS document
FROM organizations o CROSS JOIN order_statuses s;

-- All of them. Of a query that names a kind only that part is carried out.
CREATE VIEW v1_master_data WITH (security_invoker = true) AS
SELECT 'department'::text AS kind, d.org_id, d.id, d.place, d.is_active, d.document FROM v1_departments d
UNION ALL SELECT 'group', g.org_id, g.id, g.place, g.is_active, g.document FROM v1_groups g
UNION ALL SELECT 'skill', s.org_id, s.id, s.place, s.is_active, s.document FROM v1_skills s
UNION ALL SELECT 'vehicle_type', v.org_id, v.id, v.place, v.is_active, v.document FROM v1_vehicle_types v
UNION ALL SELECT 'order_type', t.org_id, t.id, t.place, t.is_active, t.document FROM v1_order_types t
UNION ALL SELECT 'zone', z.org_id, z.id, z.place, z.is_active, z.document FROM v1_zones z
UNION ALL SELECT 'freight_level', l.org_id, l.id, l.place, l.is_active, l.document FROM v1_freight_levels l
UNION ALL SELECT 'order_status', o.org_id, o.id, o.place, o.is_active, o.document FROM v1_order_statuses o;

CREATE VIEW v1_organization WITH (security_invoker = true) AS
SELECT id AS org_id, jsonb_build_object(
    'id', id, 'slug', slug, 'name', name, 'timezone', timezone, 'language', language, 'allow_merge', allow_merge,
    'reexport', reexport, 'updated_at', iso_utc(updated_at)) AS document
FROM organizations;

GRANT SELECT ON v1_departments, v1_groups, v1_skills, v1_vehicle_types, v1_order_types, v1_zones, v1_freight_levels,
    v1_order_statuses, v1_master_data, v1_organization TO waybill_app;
