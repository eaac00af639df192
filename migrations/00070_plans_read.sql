-- +goose Up
-- Plans as they are read: when a stop will be served, and how an order is
-- planned (`loads=Planning` and GET /v2/orders/{orderId}/planning).

-- As in 00034_order_relations.sql, with the ETA of the plan.
CREATE OR REPLACE VIEW order_stop_documents WITH (security_invoker = true) AS
SELECT s.org_id, s.order_id, s.kind, s.id,
    jsonb_build_object(
        'id', s.id, 'order_id', s.order_id, 'type', s.kind, 'location_id', s.location_id, 'name', s.name,
        'earliest', iso_utc(s.earliest), 'latest', iso_utc(s.latest), 'window_source', s.window_source,
        'estimated_time_on_location', s.estimated_time_on_location,
        'send_notification_before_arriving', s.send_notification_before_arriving,
        'instructions', s.instructions, 'customer_instructions', s.customer_instructions,
        'parking_instructions', s.parking_instructions, 'priority', s.priority,
        'status', CASE WHEN s.cancelled_at IS NOT NULL THEN 'cancelled' ELSE 'pending' END,
        'eta', (SELECT iso_utc(p.eta) FROM plan_stops p
            WHERE p.org_id = s.org_id AND p.order_id = s.order_id AND p.kind = s.kind)
    ) AS base,
    jsonb_build_object(
        'address1', s.address1, 'address2', s.address2, 'postal_code', s.postal_code, 'city', s.city,
        'state', s.state, 'country', s.country, 'latitude', s.latitude, 'longitude', s.longitude
    ) AS address
FROM order_stops s;

-- The reasons of an unplanned order on the wire: `by` under the name of what it
-- counts, skills by name.
-- +goose StatementBegin
CREATE FUNCTION plan_reasons_document(org bigint, reasons jsonb) RETURNS jsonb
    LANGUAGE sql STABLE PARALLEL SAFE
AS $$
    SELECT coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
        'code', r.value->>'code', 'drivers', coalesce(r.value->'drivers', '[]'), 'count', coalesce(r.value->'count', '0'),
        'lateBySeconds', CASE WHEN r.value->>'code' IN ('WEIGHT', 'VOLUME', 'COLLI', 'ROUTE_TOO_FAR')
            THEN NULL ELSE r.value->'by' END,
        'overBy', CASE WHEN r.value->>'code' IN ('WEIGHT', 'VOLUME', 'COLLI', 'ROUTE_TOO_FAR') THEN r.value->'by' END,
        'skill', (SELECT k.name FROM skills k WHERE k.org_id = org AND k.id = (r.value->>'skillId')::bigint),
        'lacks', r.value->'lacks'
    )) ORDER BY r.ordinality), '[]')
    FROM jsonb_array_elements(plan_reasons_document.reasons) WITH ORDINALITY r
$$;

-- What would help an unplanned order, on the wire. That a window or a workday
-- would end later is kept as by how much.
CREATE FUNCTION plan_counterfactuals_document(org bigint, order_id bigint, counterfactuals jsonb) RETURNS jsonb
    LANGUAGE sql STABLE PARALLEL SAFE
AS $$
    SELECT coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
        'change', c.value->>'change',
        'value', CASE c.value->>'change'
            WHEN 'EXTRA_DRIVER' THEN concat_ws('/', c.value->>'starts', c.value->>'ends')
            WHEN 'WITHOUT_ORDER' THEN c.value->>'orderId'
            WHEN 'WORKDAY_END' THEN concat('PT', c.value->>'seconds', 'S')
            ELSE (SELECT iso_utc(s.latest + (c.value->>'seconds')::int * interval '1 second') FROM order_stops s
                WHERE s.org_id = org AND s.order_id = plan_counterfactuals_document.order_id
                  AND s.kind = lower(split_part(c.value->>'change', '_', 1))) END,
        'bySeconds', c.value->'seconds', 'driverId', c.value->'driverId', 'vehicleTypeId', c.value->'vehicleTypeId',
        'serves', c.value->'serves', 'movesOrders', c.value->'movesOrders'
    )) ORDER BY c.ordinality), '[]')
    FROM jsonb_array_elements(coalesce(plan_counterfactuals_document.counterfactuals, '[]')) WITH ORDINALITY c
$$;

-- When a stop is served, on the wire; null while it is in no route.
CREATE FUNCTION planned_stop_document(org bigint, order_id bigint, kind text) RETURNS jsonb
    LANGUAGE sql STABLE PARALLEL SAFE
AS $$
    SELECT jsonb_build_object('sequence', p.seq, 'arrivesAt', iso_utc(p.arrives_at), 'startsAt', iso_utc(p.starts_at),
        'leavesAt', iso_utc(p.leaves_at), 'eta', iso_utc(p.eta))
    FROM plan_stops p
    WHERE p.org_id = org AND p.order_id = planned_stop_document.order_id AND p.kind = planned_stop_document.kind
$$;

-- How an order is planned, on the wire. What is over, and what an external
-- carrier has, is none of planning's business.
CREATE FUNCTION order_planning_document(org bigint, order_id bigint) RETURNS jsonb
    LANGUAGE sql STABLE PARALLEL SAFE
AS $$
    SELECT jsonb_strip_nulls(jsonb_build_object(
        'state', CASE
            WHEN o.status_id >= 6 OR EXISTS (SELECT FROM order_exports e WHERE e.org_id = org AND e.order_id = o.id
                AND e.exported_version > 0) THEN 'NONE'
            WHEN s.order_id IS NOT NULL THEN 'PLANNED'
            WHEN u.order_id IS NOT NULL THEN u.state
            ELSE 'PENDING' END,
        'certainty', u.certainty, 'searchedMs', u.searched_ms, 'date', p.day, 'departmentId', p.department_id,
        'driver', (SELECT jsonb_build_object('id', d.id, 'name', d.name)
            FROM drivers d WHERE d.org_id = org AND d.id = s.driver_id),
        'vehicle', (SELECT jsonb_build_object('id', v.id, 'registration', v.registration)
            FROM plan_routes r JOIN vehicles v ON v.org_id = r.org_id AND v.id = r.vehicle_id
            WHERE r.org_id = org AND r.plan_id = s.plan_id AND r.driver_id = s.driver_id),
        'pickup', planned_stop_document(org, o.id, 'pickup'),
        'delivery', planned_stop_document(org, o.id, 'delivery'),
        'reasons', plan_reasons_document(org, coalesce(u.reasons, '[]')),
        'counterfactuals', plan_counterfactuals_document(org, o.id, u.counterfactuals)))
    FROM orders o
    LEFT JOIN plan_stops s ON s.org_id = o.org_id AND s.order_id = o.id AND s.kind = 'delivery'
    LEFT JOIN plan_unplanned u ON u.org_id = o.org_id AND u.order_id = o.id AND s.order_id IS NULL
    LEFT JOIN plans p ON p.org_id = o.org_id AND p.id = coalesce(s.plan_id, u.plan_id)
    WHERE o.org_id = org AND o.id = order_planning_document.order_id
$$;

-- The relation Planning of an order on the v1 wire, when loads asks for it.
CREATE FUNCTION order_planning(org bigint, order_id bigint, loads text[]) RETURNS jsonb
    LANGUAGE sql STABLE PARALLEL SAFE
AS $$
    SELECT CASE WHEN 'Planning' = ANY (loads)
        THEN jsonb_build_object('planning', order_planning_document(org, order_planning.order_id)) ELSE '{}' END
$$;
-- +goose StatementEnd

-- What somebody accepted that an order breaks with the driver whom it is locked
-- to: that vehicle type, skills and prohibitions do not count, and until when its
-- stops may begin.
ALTER TABLE order_driver_locks
    ADD COLUMN accepts_anyhow boolean NOT NULL DEFAULT false,
    ADD COLUMN pickup_until   timestamptz,
    ADD COLUMN delivery_until timestamptz;
