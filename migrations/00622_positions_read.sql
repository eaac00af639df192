-- +goose Up
SET LOCAL lock_timeout = '2s';

-- +goose StatementBegin
-- Where a stop is, how well that is known, and from whom: the caller's coordinates, a person's pin,
-- the coordinates of its location, or the address register.
CREATE FUNCTION stop_position(s order_stops) RETURNS jsonb LANGUAGE sql STABLE PARALLEL SAFE
RETURN CASE
    WHEN (s).latitude IS NOT NULL AND (s).longitude IS NOT NULL THEN jsonb_build_object(
        'latitude', (s).latitude, 'longitude', (s).longitude, 'precision', 'GIVEN', 'source', 'ORDER')
    WHEN (s).position ->> 'source' = 'PERSON' THEN (s).position
    ELSE coalesce(
        (SELECT jsonb_build_object('latitude', l.latitude, 'longitude', l.longitude, 'precision', 'GIVEN', 'source', 'LOCATION')
         FROM locations l WHERE l.org_id = (s).org_id AND l.id = (s).location_id
            AND l.latitude IS NOT NULL AND l.longitude IS NOT NULL),
        (s).position, '{"precision": "UNKNOWN"}')
    END;
-- +goose StatementEnd

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
    ) AS base,
    jsonb_build_object(
        'address1', s.address1, 'address2', s.address2, 'postal_code', s.postal_code, 'city', s.city,
        'state', s.state, 'country', s.country, 'latitude', s.latitude, 'longitude', s.longitude
    ) AS address
FROM order_stops s LEFT JOIN order_progress g ON g.org_id = s.org_id AND g.order_id = s.order_id;

CREATE OR REPLACE VIEW v1_locations WITH (security_invoker = true) AS
SELECT l.org_id, l.id, l.external_id, l.name,
    jsonb_build_object(
        'location_id', l.id, 'external_id', l.external_id, 'name', l.name,
        'address', jsonb_build_object(
            'address1', l.address1, 'address2', l.address2, 'postal_code', l.postal_code, 'city', l.city,
            'state', l.state, 'country', l.country, 'latitude', l.latitude, 'longitude', l.longitude),
        'opens', clock_text(l.opens), 'closes', clock_text(l.closes),
        'use_opening_hours_as_default', l.use_opening_hours_as_default,
        'time_windows', (
            SELECT coalesce(jsonb_agg(jsonb_build_object('rrule', w.rrule, 'opens', clock_text(w.opens),
                'closes', clock_text(w.closes)) ORDER BY w.seq), '[]')
            FROM location_time_windows w WHERE w.org_id = l.org_id AND w.location_id = l.id),
        'estimated_time_on_location', l.estimated_time_on_location,
        'created_at', iso_utc(l.created_at), 'updated_at', iso_utc(l.updated_at),
        'position', CASE WHEN l.latitude IS NOT NULL AND l.longitude IS NOT NULL
            THEN jsonb_build_object('latitude', l.latitude, 'longitude', l.longitude, 'precision', 'GIVEN', 'source', 'LOCATION')
            ELSE coalesce(l.position, '{"precision": "UNKNOWN"}') END
    ) AS document
FROM locations l WHERE l.deleted_at IS NULL;
