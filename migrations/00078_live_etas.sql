-- +goose Up
-- When drivers get to the stops that are ahead of them, by what they do and where
-- they are. A stop without a row here is served when its plan says.
CREATE TABLE live_etas (
    org_id     bigint NOT NULL REFERENCES organizations (id),
    order_id   bigint NOT NULL,
    kind       text NOT NULL,
    -- Whose ETA it is; it says nothing of a stop that another driver has by now.
    driver_id  bigint NOT NULL,
    eta        timestamptz NOT NULL,
    -- What the world was told last.
    told       timestamptz NOT NULL,
    -- How many stops the driver has before it.
    ahead      integer NOT NULL,
    updated_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT live_etas_pkey PRIMARY KEY (org_id, order_id, kind),
    CONSTRAINT live_etas_stop_fkey FOREIGN KEY (org_id, order_id, kind)
        REFERENCES order_stops (org_id, order_id, kind) ON DELETE CASCADE
) WITH (fillfactor = 70);
SELECT guard_tenant('live_etas');

-- As in 00076_driving.sql, with the ETA as it is now.
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
            WHERE p.org_id = s.org_id AND p.order_id = s.order_id AND p.kind = s.kind)
    ) AS base,
    jsonb_build_object(
        'address1', s.address1, 'address2', s.address2, 'postal_code', s.postal_code, 'city', s.city,
        'state', s.state, 'country', s.country, 'latitude', s.latitude, 'longitude', s.longitude
    ) AS address
FROM order_stops s LEFT JOIN order_progress g ON g.org_id = s.org_id AND g.order_id = s.order_id;

-- As in 00070_plans_read.sql, with the ETA as it is now.
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION planned_stop_document(org bigint, order_id bigint, kind text) RETURNS jsonb
    LANGUAGE sql STABLE PARALLEL SAFE
AS $$
    SELECT jsonb_build_object('sequence', p.seq, 'arrivesAt', iso_utc(p.arrives_at), 'startsAt', iso_utc(p.starts_at),
        'leavesAt', iso_utc(p.leaves_at), 'eta', iso_utc(coalesce(e.eta, p.eta)))
    FROM plan_stops p
    LEFT JOIN live_etas e ON e.org_id = p.org_id AND e.order_id = p.order_id AND e.kind = p.kind AND e.driver_id = p.driver_id
    WHERE p.org_id = org AND p.order_id = planned_stop_document.order_id AND p.kind = planned_stop_document.kind
$$;
-- +goose StatementEnd

-- As in 00038_every_number_hears.sql, with the ETA of the delivery where a change
-- tells it.
DROP VIEW order_status_feed;
CREATE VIEW order_status_feed WITH (security_invoker = true) AS
SELECT e.org_id, e.position, n.place, n.place = coalesce(jsonb_array_length(e.data -> 'numbers'), 1) AS is_last,
    e.order_id, n.number AS external_id, e.order_status_id, s.name AS status, e.occurred_at, e.driver_id, e.stop,
    CASE WHEN e.kind IN ('order.planned', 'order.eta_changed') THEN (e.data ->> 'delivery')::timestamptz END AS eta
FROM events e JOIN order_statuses s ON s.id = e.order_status_id
CROSS JOIN LATERAL jsonb_array_elements_text(coalesce(e.data -> 'numbers', jsonb_build_array(e.external_id)))
    WITH ORDINALITY AS n (number, place)
WHERE e.position IS NOT NULL AND e.order_status_id IS NOT NULL;
GRANT SELECT ON order_status_feed TO waybill_app;

-- As in 00007_views.sql, with what became of the product where its driver said so.
CREATE OR REPLACE VIEW order_product_documents WITH (security_invoker = true) AS
SELECT p.org_id, p.order_id, p.id, p.seq,
    jsonb_build_object(
        'id', p.id, 'order_id', p.order_id, 'internal_order_number', p.number, 'name', p.name,
        'quantity', p.quantity, 'weight', p.weight, 'length', p.length, 'width', p.width, 'height', p.height,
        'barcode_id', p.barcode_id, 'external_id', p.external_id, 'instance_number', p.instance_number,
        'parent_id', p.parent_id, 'parent_sscc', parent.barcode_id, 'atom_type', p.atom_type,
        'is_modified', p.is_modified
    ) || CASE WHEN d.order_id IS NULL THEN '{}' ELSE jsonb_build_object('delivered_quantity', d.delivered,
        'refused_quantity', d.refused, 'refusal_reason', d.reason) END AS base
FROM order_products p
LEFT JOIN order_products parent ON parent.org_id = p.org_id AND parent.id = p.parent_id
LEFT JOIN order_product_deliveries d ON d.org_id = p.org_id AND d.order_product_id = p.id;
