-- +goose Up
-- What would help an order that a plan leaves over stays within working time. Where nothing
-- helps, the list has one entry that says why, which is read as `nothingHelps`.

-- As in 00070_plans_read.sql, with other vehicles, divided loads and skills, and without what
-- does not help.
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION plan_counterfactuals_document(org bigint, order_id bigint, counterfactuals jsonb) RETURNS jsonb
    LANGUAGE sql STABLE PARALLEL SAFE
AS $$
    SELECT coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
        'change', c.value->>'change',
        'value', CASE c.value->>'change'
            WHEN 'EXTRA_DRIVER' THEN concat_ws('/', c.value->>'starts', c.value->>'ends')
            WHEN 'WITHOUT_ORDER' THEN c.value->>'orderId'
            WHEN 'WORKDAY_END' THEN concat('PT', c.value->>'seconds', 'S')
            WHEN 'OTHER_VEHICLE' THEN c.value->>'vehicleTypeId'
            WHEN 'SPLIT_ORDER' THEN c.value->>'parts'
            ELSE (SELECT iso_utc(s.latest + (c.value->>'seconds')::int * interval '1 second') FROM order_stops s
                WHERE s.org_id = org AND s.order_id = plan_counterfactuals_document.order_id
                  AND s.kind = lower(split_part(c.value->>'change', '_', 1))) END,
        'bySeconds', c.value->'seconds', 'driverId', c.value->'driverId', 'vehicleTypeId', c.value->'vehicleTypeId',
        'skills', (SELECT jsonb_agg(k.name ORDER BY k.name) FROM jsonb_array_elements_text(c.value->'skillIds') i
            JOIN skills k ON k.org_id = org AND k.id = i.value::bigint),
        'serves', c.value->'serves', 'movesOrders', c.value->'movesOrders'
    )) ORDER BY c.ordinality), '[]')
    FROM jsonb_array_elements(coalesce(plan_counterfactuals_document.counterfactuals, '[]')) WITH ORDINALITY c
    WHERE c.value->>'change' <> 'NOTHING'
$$;

-- Why nothing would help an unplanned order, on the wire; null where something may.
CREATE FUNCTION plan_nothing_helps_document(counterfactuals jsonb) RETURNS jsonb
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$
    SELECT jsonb_build_object('code', c.value->>'why')
    FROM jsonb_array_elements(plan_nothing_helps_document.counterfactuals) c WHERE c.value->>'change' = 'NOTHING'
$$;

-- As in 00070_plans_read.sql, with why nothing helps.
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
        'reasons', plan_reasons_document(org, coalesce(u.reasons, '[]')),
        'counterfactuals', plan_counterfactuals_document(org, o.id, u.counterfactuals),
        'nothingHelps', plan_nothing_helps_document(u.counterfactuals)))
    FROM orders o
    LEFT JOIN plan_stops s ON s.org_id = o.org_id AND s.order_id = o.id AND s.kind = 'delivery'
    LEFT JOIN plan_unplanned u ON u.org_id = o.org_id AND u.order_id = o.id AND s.order_id IS NULL
    LEFT JOIN plans p ON p.org_id = o.org_id AND p.id = coalesce(s.plan_id, u.plan_id)
    WHERE o.org_id = org AND o.id = order_planning_document.order_id
$$;
-- +goose StatementEnd

-- What was found out before may ask for more than working time permits: it is found out again.
UPDATE plan_unplanned SET counterfactuals = NULL, help_drivers = NULL, help_until = NULL WHERE counterfactuals IS NOT NULL;
