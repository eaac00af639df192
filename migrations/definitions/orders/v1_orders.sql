-- The order object of the v1 wire without relations, and the columns that
-- lists filter by.
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
    ) || coalesce(o.asks, '{}') AS base
FROM orders o;

GRANT SELECT ON v1_orders TO waybill_app;
