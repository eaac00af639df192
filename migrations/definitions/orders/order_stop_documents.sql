-- Stops of orders as JSON, with the progress and the present ETA of each stop.
CREATE OR REPLACE VIEW order_stop_documents WITH (security_invoker = true) AS
SELECT s.org_id, s.order_id, s.kind, s.id,
    jsonb_build_object(
        'id', s.id, 'order_id', s.order_id, 'type', s.kind, 'location_id', s.location_id, 'name', s.name,
        'earliest', iso_utc(s.earliest), 'latest', iso_utc(s.latest), 'window_source', s.window_source,
        'estimated_time_on_location', s.estimated_time_on_location,
        'send_notification_before_arriving', s.send_notification_before_arriving,
        'instructions', s.instructions, 'customer_instructions', s.customer_instructions,
        'parking_instructions', s.parking_instructions, 'priority', s.priority,
        'status', CASE WHEN s.cancelled_at IS NOT NULL THEN 'cancelled'
            WHEN s.kind = 'pickup' THEN coalesce(g.pickup_status, 'pending')
            ELSE coalesce(g.delivery_status, 'pending') END,
        'arrived_at', iso_utc(CASE s.kind WHEN 'pickup' THEN g.pickup_arrived_at ELSE g.delivery_arrived_at END),
        'ended_at', iso_utc(CASE s.kind WHEN 'pickup' THEN g.pickup_ended_at ELSE g.delivery_ended_at END),
        'failure_reason', CASE WHEN 'failed' = CASE s.kind WHEN 'pickup' THEN g.pickup_status ELSE g.delivery_status END
            THEN g.failure_reason END,
        'eta', (SELECT iso_utc(coalesce(e.eta, p.eta)) FROM plan_stops p
            LEFT JOIN live_etas e ON e.org_id = p.org_id AND e.order_id = p.order_id AND e.kind = p.kind
                AND e.driver_id = p.driver_id
            WHERE p.org_id = s.org_id AND p.order_id = s.order_id AND p.kind = s.kind),
        'position', stop_position(s)
    ) || coalesce(CASE s.window_source WHEN 'booking' THEN s.asks - 'time_windows' ELSE s.asks END, '{}') AS base,
    jsonb_build_object(
        'address1', s.address1, 'address2', s.address2, 'postal_code', s.postal_code, 'city', s.city,
        'state', s.state, 'country', s.country, 'latitude', s.latitude, 'longitude', s.longitude
    ) AS address
FROM order_stops s LEFT JOIN order_progress g ON g.org_id = s.org_id AND g.order_id = s.order_id;

GRANT SELECT ON order_stop_documents TO waybill_app;
