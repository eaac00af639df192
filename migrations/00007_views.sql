-- +goose Up
-- What the API reads. A view shows its reader's rows (security_invoker), so
-- the policies hold in here as well. The functions *_document shape the JSON
-- of the v1 wire (spec.md, "Reading orders"), so that an order with all its
-- relations is one round trip.

CREATE VIEW order_stop_documents WITH (security_invoker = true) AS
SELECT s.org_id, s.order_id, s.kind, s.id,
    jsonb_build_object(
        'id', s.id, 'order_id', s.order_id, 'type', s.kind, 'location_id', s.location_id, 'name', s.name,
        'earliest', iso_utc(s.earliest), 'latest', iso_utc(s.latest),
        'estimated_time_on_location', s.estimated_time_on_location,
        'send_notification_before_arriving', s.send_notification_before_arriving,
        'instructions', s.instructions, 'customer_instructions', s.customer_instructions,
        'parking_instructions', s.parking_instructions, 'priority', s.priority,
        'status', CASE WHEN s.cancelled_at IS NOT NULL THEN 'cancelled' ELSE 'pending' END
    ) AS base,
    jsonb_build_object(
        'address1', s.address1, 'address2', s.address2, 'postal_code', s.postal_code, 'city', s.city,
        'state', s.state, 'country', s.country, 'latitude', s.latitude, 'longitude', s.longitude
    ) AS address
FROM order_stops s;

CREATE VIEW order_product_documents WITH (security_invoker = true) AS
SELECT p.org_id, p.order_id, p.id, p.seq,
    jsonb_build_object(
        'id', p.id, 'order_id', p.order_id, 'internal_order_number', p.number, 'name', p.name,
        'quantity', p.quantity, 'weight', p.weight, 'length', p.length, 'width', p.width, 'height', p.height,
        'barcode_id', p.barcode_id, 'external_id', p.external_id, 'instance_number', p.instance_number,
        'parent_id', p.parent_id, 'parent_sscc', parent.barcode_id, 'atom_type', p.atom_type,
        'is_modified', p.is_modified
    ) AS base
FROM order_products p
LEFT JOIN order_products parent ON parent.org_id = p.org_id AND parent.id = p.parent_id;

-- +goose StatementBegin
CREATE FUNCTION order_locations_document(org bigint, order_id bigint, loads text[]) RETURNS jsonb
    LANGUAGE sql STABLE PARALLEL SAFE
AS $$
    SELECT coalesce(jsonb_agg(
        d.base
        || CASE WHEN 'OrderLocations.Address' = ANY (loads) THEN jsonb_build_object('address', d.address) ELSE '{}' END
        || CASE WHEN 'OrderLocations.Location' = ANY (loads) THEN jsonb_build_object('location', (
            SELECT jsonb_build_object('id', l.id, 'external_id', l.external_id, 'name', l.name)
            FROM order_stops s JOIN locations l ON l.org_id = s.org_id AND l.id = s.location_id
            WHERE s.org_id = d.org_id AND s.id = d.id)) ELSE '{}' END
        || CASE WHEN 'OrderLocations.OrderLocationContacts' = ANY (loads) THEN jsonb_build_object('order_location_contacts', (
            SELECT coalesce(jsonb_agg(jsonb_build_object('id', c.id, 'first_name', c.first_name, 'last_name', c.last_name,
                'phone_number', c.phone_number, 'email_address', c.email_address) ORDER BY c.seq), '[]')
            FROM stop_contacts c WHERE c.org_id = d.org_id AND c.stop_id = d.id)) ELSE '{}' END
        || CASE WHEN 'OrderLocations.TrackTraces' = ANY (loads) THEN '{"track_traces": []}'::jsonb ELSE '{}' END
        ORDER BY d.kind DESC), '[]')
    FROM order_stop_documents d
    WHERE d.org_id = org AND d.order_id = order_locations_document.order_id
$$;

CREATE FUNCTION order_products_document(org bigint, order_id bigint, loads text[]) RETURNS jsonb
    LANGUAGE sql STABLE PARALLEL SAFE
AS $$
    SELECT coalesce(jsonb_agg(
        d.base
        || CASE WHEN 'OrderProducts.Product' = ANY (loads) THEN '{"product": null}'::jsonb ELSE '{}' END
        || CASE WHEN 'OrderProducts.OrderProductSkills' = ANY (loads) THEN jsonb_build_object('order_product_skills', (
            SELECT coalesce(jsonb_agg(jsonb_build_object('id', k.id, 'name', k.name, 'type', ps.type) ORDER BY k.name), '[]')
            FROM order_product_skills ps JOIN skills k ON k.org_id = ps.org_id AND k.id = ps.skill_id
            WHERE ps.org_id = d.org_id AND ps.order_product_id = d.id)) ELSE '{}' END
        || CASE WHEN 'OrderProducts.OrderProductUnits' = ANY (loads) THEN '{"order_product_units": []}'::jsonb ELSE '{}' END
        ORDER BY d.seq, d.id), '[]')
    FROM order_product_documents d
    WHERE d.org_id = org AND d.order_id = order_products_document.order_id
$$;

CREATE FUNCTION order_skills_document(org bigint, order_id bigint) RETURNS jsonb
    LANGUAGE sql STABLE PARALLEL SAFE
AS $$
    SELECT coalesce(jsonb_agg(DISTINCT jsonb_build_object('id', k.id, 'name', k.name, 'type', x.type)), '[]')
    FROM (
        SELECT ss.skill_id, ss.type FROM order_stops s
        JOIN stop_skills ss ON ss.org_id = s.org_id AND ss.stop_id = s.id
        WHERE s.org_id = org AND s.order_id = order_skills_document.order_id
        UNION ALL
        SELECT ps.skill_id, ps.type FROM order_products p
        JOIN order_product_skills ps ON ps.org_id = p.org_id AND ps.order_product_id = p.id
        WHERE p.org_id = org AND p.order_id = order_skills_document.order_id
    ) x JOIN skills k ON k.org_id = org AND k.id = x.skill_id
$$;
-- +goose StatementEnd

-- The order object of the v1 wire without relations, and the columns that
-- lists filter by.
CREATE VIEW v1_orders WITH (security_invoker = true) AS
SELECT o.org_id, o.id, o.number, o.serial, o.status_id, o.date, o.customer_id, o.department_id, o.driver_id,
    o.order_type_id, o.vehicle_type_id, o.reference, o.internal_freight_number, o.route_number, o.created_at,
    o.updated_at,
    jsonb_build_object(
        'order_id', o.id, 'internal_order_number', o.number, 'serial_code', 'WB-' || o.serial,
        'order_status_id', o.status_id, 'date', o.date, 'customer_id', o.customer_id,
        'department_id', o.department_id, 'driver_id', o.driver_id, 'order_type_id', o.order_type_id,
        'vehicle_type_id', o.vehicle_type_id, 'reference', o.reference,
        'internal_freight_number', o.internal_freight_number, 'route_number', o.route_number,
        'business_id', o.org_id, 'created_at', iso_utc(o.created_at), 'updated_at', iso_utc(o.updated_at),
        'cancelled_at', iso_utc(o.cancelled_at)
    ) AS base
FROM orders o;

-- The relations of one order that loads asks for; an empty object when it
-- asks for none.
-- +goose StatementBegin
CREATE FUNCTION order_relations(o v1_orders, loads text[]) RETURNS jsonb
    LANGUAGE sql STABLE PARALLEL SAFE
AS $$
    SELECT CASE WHEN 'Customer' = ANY (loads) THEN jsonb_build_object('customer', (
            SELECT jsonb_build_object('id', c.id, 'external_id', c.external_id, 'business_name', c.business_name,
                'department_id', c.department_id)
            FROM customers c WHERE c.org_id = o.org_id AND c.id = o.customer_id)) ELSE '{}' END
        || CASE WHEN 'Department' = ANY (loads) THEN jsonb_build_object('department', (
            SELECT jsonb_build_object('id', d.id, 'name', d.name)
            FROM departments d WHERE d.org_id = o.org_id AND d.id = o.department_id)) ELSE '{}' END
        || CASE WHEN 'Driver' = ANY (loads) THEN jsonb_build_object('driver', (
            SELECT jsonb_build_object('id', d.id, 'name', d.name, 'phone_number', d.phone_number)
            FROM drivers d WHERE d.org_id = o.org_id AND d.id = o.driver_id)) ELSE '{}' END
        || CASE WHEN 'OrderStatus' = ANY (loads) THEN jsonb_build_object('order_status', (
            SELECT jsonb_build_object('id', s.id, 'name', s.name) FROM order_statuses s WHERE s.id = o.status_id)) ELSE '{}' END
        || CASE WHEN 'OrderType' = ANY (loads) THEN jsonb_build_object('order_type', (
            SELECT jsonb_build_object('id', t.id, 'name', t.name)
            FROM order_types t WHERE t.org_id = o.org_id AND t.id = o.order_type_id)) ELSE '{}' END
        || CASE WHEN 'VehicleType' = ANY (loads) THEN jsonb_build_object('vehicle_type', (
            SELECT jsonb_build_object('id', v.id, 'name', v.name)
            FROM vehicle_types v WHERE v.org_id = o.org_id AND v.id = o.vehicle_type_id)) ELSE '{}' END
        || CASE WHEN 'Skills' = ANY (loads) THEN jsonb_build_object('skills', order_skills_document(o.org_id, o.id)) ELSE '{}' END
        || CASE WHEN 'Documents' = ANY (loads) THEN '{"documents": []}'::jsonb ELSE '{}' END
        || CASE WHEN 'Documentations' = ANY (loads) THEN '{"documentations": []}'::jsonb ELSE '{}' END
        || CASE WHEN 'OrderLocations' = ANY (loads)
            THEN jsonb_build_object('order_locations', order_locations_document(o.org_id, o.id, loads)) ELSE '{}' END
        || CASE WHEN 'OrderProducts' = ANY (loads)
            THEN jsonb_build_object('order_products', order_products_document(o.org_id, o.id, loads)) ELSE '{}' END
$$;
-- +goose StatementEnd

CREATE VIEW v2_order_types WITH (security_invoker = true) AS
SELECT t.org_id, t.id, t.name, t.priority, clock_text(t.ready_from) AS ready_from,
    clock_text(t.pick_up_before) AS pick_up_before, clock_text(t.deliver_before) AS deliver_before,
    t.is_active, t.min_book_ahead_minutes, t.max_book_ahead_minutes
FROM order_types t;

-- The order status feed: the changes of status, in the order in which they
-- became visible.
CREATE VIEW order_status_feed WITH (security_invoker = true) AS
SELECT e.org_id, e.position, e.order_id, e.external_id, e.order_status_id, s.name AS status,
    e.occurred_at, e.driver_id, e.stop
FROM events e JOIN order_statuses s ON s.id = e.order_status_id
WHERE e.position IS NOT NULL AND e.order_status_id IS NOT NULL;

GRANT SELECT ON order_stop_documents, order_product_documents, v1_orders, v2_order_types, order_status_feed TO waybill_app;
