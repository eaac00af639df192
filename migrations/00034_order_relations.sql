-- +goose Up
-- What was accepted can be read back: the parties and the freight of an order,
-- which rule gave a stop its window, groups, prices, and the numbers that lead
-- to an order.

CREATE OR REPLACE VIEW v1_orders WITH (security_invoker = true) AS
SELECT o.org_id, o.id, o.number, o.serial, o.status_id, o.date, o.customer_id, o.department_id, o.driver_id,
    o.order_type_id, o.vehicle_type_id, o.reference, o.internal_freight_number, o.route_number, o.created_at,
    o.updated_at,
    jsonb_build_object(
        'order_id', o.id, 'internal_order_number', o.number, 'serial_code', 'WB-' || o.serial,
        'order_status_id', o.status_id, 'date', o.date, 'customer_id', o.customer_id,
        'department_id', o.department_id, 'driver_id', o.driver_id, 'order_type_id', o.order_type_id,
        'vehicle_type_id', o.vehicle_type_id, 'reference', o.reference,
        'internal_freight_number', o.internal_freight_number, 'freight_id', o.freight_id,
        'consignee_id', o.consignee_id, 'consignor_id', o.consignor_id, 'route_number', o.route_number,
        'business_id', o.org_id, 'created_at', iso_utc(o.created_at), 'updated_at', iso_utc(o.updated_at),
        'cancelled_at', iso_utc(o.cancelled_at)
    ) AS base
FROM orders o;

CREATE OR REPLACE VIEW order_stop_documents WITH (security_invoker = true) AS
SELECT s.org_id, s.order_id, s.kind, s.id,
    jsonb_build_object(
        'id', s.id, 'order_id', s.order_id, 'type', s.kind, 'location_id', s.location_id, 'name', s.name,
        'earliest', iso_utc(s.earliest), 'latest', iso_utc(s.latest), 'window_source', s.window_source,
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

-- A customer as orders show it, in whichever part it plays.
-- +goose StatementBegin
CREATE FUNCTION party_document(org bigint, customer_id bigint) RETURNS jsonb
    LANGUAGE sql STABLE PARALLEL SAFE
AS $$
    SELECT jsonb_build_object('id', c.id, 'external_id', c.external_id, 'business_name', c.business_name,
        'department_id', c.department_id)
    FROM customers c WHERE c.org_id = org AND c.id = party_document.customer_id
$$;
-- +goose StatementEnd

-- The numbers that lead to an order: more than one where ERP orders share it.
-- +goose StatementBegin
CREATE FUNCTION erp_orders_document(org bigint, order_id bigint) RETURNS jsonb
    LANGUAGE sql STABLE PARALLEL SAFE
AS $$
    SELECT coalesce(jsonb_agg(jsonb_build_object('external_id', n.number,
        'state', CASE WHEN n.cancelled_at IS NULL AND o.status_id <> 8 THEN 'ACTIVE' ELSE 'CANCELLED' END,
        'cancelled_at', iso_utc(coalesce(n.cancelled_at, o.cancelled_at))) ORDER BY n.number), '[]')
    FROM order_numbers n JOIN orders o ON o.org_id = n.org_id AND o.id = n.order_id
    WHERE n.org_id = org AND n.order_id = erp_orders_document.order_id
$$;
-- +goose StatementEnd

-- The relations that say who an order is for and what it is part of.
-- +goose StatementBegin
CREATE FUNCTION order_parties(org bigint, order_id bigint, loads text[]) RETURNS jsonb
    LANGUAGE sql STABLE PARALLEL SAFE
AS $$
    SELECT CASE WHEN 'Consignee' = ANY (loads) THEN jsonb_build_object('consignee', party_document(org, o.consignee_id)) ELSE '{}' END
        || CASE WHEN 'Consignor' = ANY (loads) THEN jsonb_build_object('consignor', party_document(org, o.consignor_id)) ELSE '{}' END
        || CASE WHEN 'Freight' = ANY (loads) THEN jsonb_build_object('freight', (
            SELECT jsonb_build_object('id', f.id, 'internal_freight_number', f.internal_freight_number,
                'consignee_id', f.consignee_id, 'consignor_id', f.consignor_id)
            FROM freights f WHERE f.org_id = org AND f.id = o.freight_id)) ELSE '{}' END
        || CASE WHEN 'Groups' = ANY (loads) THEN jsonb_build_object('groups', (
            SELECT coalesce(jsonb_agg(jsonb_build_object('id', g.id, 'name', g.name) ORDER BY g.name, g.id), '[]')
            FROM order_group_members m JOIN order_groups g ON g.org_id = m.org_id AND g.id = m.group_id
            WHERE m.org_id = org AND m.order_id = o.id)) ELSE '{}' END
        || CASE WHEN 'Prices' = ANY (loads) THEN jsonb_build_object('prices', (
            SELECT coalesce(jsonb_agg(jsonb_build_object('name', p.name, 'price', p.price::text, 'currency', p.currency,
                'quantity', p.quantity, 'computed', p.computed) ORDER BY p.seq), '[]')
            FROM order_prices p WHERE p.org_id = org AND p.order_id = o.id)) ELSE '{}' END
        || CASE WHEN 'ErpOrders' = ANY (loads) THEN jsonb_build_object('erp_orders', erp_orders_document(org, o.id)) ELSE '{}' END
    FROM orders o
    WHERE o.org_id = org AND o.id = order_parties.order_id
        AND loads && ARRAY['Consignee', 'Consignor', 'Freight', 'Groups', 'Prices', 'ErpOrders']
    UNION ALL
    SELECT '{}' WHERE NOT loads && ARRAY['Consignee', 'Consignor', 'Freight', 'Groups', 'Prices', 'ErpOrders']
$$;
-- +goose StatementEnd
