-- How an order is planned, on the wire. What is over, and what an external
-- carrier has, is none of planning's business.
CREATE OR REPLACE FUNCTION order_planning_document(org bigint, order_id bigint) RETURNS jsonb
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
        'unknownAddresses', unknown_addresses(org, o.id, u.reasons),
        'reasons', plan_reasons_document(org, coalesce(u.reasons, '[]')),
        'counterfactuals', plan_counterfactuals_document(org, o.id, u.counterfactuals),
        'nothingHelps', plan_nothing_helps_document(u.counterfactuals)))
    FROM orders o
    LEFT JOIN plan_stops s ON s.org_id = o.org_id AND s.order_id = o.id AND s.kind = 'delivery'
    LEFT JOIN plan_unplanned u ON u.org_id = o.org_id AND u.order_id = o.id AND s.order_id IS NULL
    LEFT JOIN plans p ON p.org_id = o.org_id AND p.id = coalesce(s.plan_id, u.plan_id)
    WHERE o.org_id = org AND o.id = order_planning_document.order_id
$$;
