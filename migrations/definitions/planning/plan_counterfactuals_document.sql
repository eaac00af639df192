-- What would help an unplanned order, on the wire. That a window or a workday
-- would end later is kept as by how much.
CREATE OR REPLACE FUNCTION plan_counterfactuals_document(org bigint, order_id bigint, counterfactuals jsonb) RETURNS jsonb
    LANGUAGE sql STABLE PARALLEL SAFE
AS $$
    SELECT coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
        'change', c.value->>'change',
        'value', CASE c.value->>'change'
            WHEN 'EXTRA_DRIVER' THEN concat_ws('/', c.value->>'starts', c.value->>'ends')
            WHEN 'WITHOUT_ORDER' THEN c.value->>'orderId'
            WHEN 'LATE_ORDERS' THEN c.value->>'lateOrders'
            WHEN 'TIME_ON_BOARD' THEN concat('PT', c.value->>'seconds', 'S')
            WHEN 'WORKDAY_END' THEN concat('PT', c.value->>'seconds', 'S')
            WHEN 'OTHER_VEHICLE' THEN c.value->>'vehicleTypeId'
            WHEN 'SPLIT_ORDER' THEN c.value->>'parts'
            ELSE (SELECT iso_utc(s.latest + (c.value->>'seconds')::int * interval '1 second') FROM order_stops s
                WHERE s.org_id = org AND s.order_id = plan_counterfactuals_document.order_id
                  AND s.kind = lower(split_part(c.value->>'change', '_', 1))) END,
        'bySeconds', c.value->'seconds', 'driverId', c.value->'driverId', 'vehicleTypeId', c.value->'vehicleTypeId',
        'skills', (SELECT jsonb_agg(k.name ORDER BY k.name) FROM jsonb_array_elements_text(c.value->'skillIds') i
            JOIN skills k ON k.org_id = org AND k.id = i.value::bigint),
        'serves', c.value->'serves', 'movesOrders', c.value->'movesOrders', 'load', c.value->'load'
    )) ORDER BY c.ordinality), '[]')
    FROM jsonb_array_elements(coalesce(plan_counterfactuals_document.counterfactuals, '[]')) WITH ORDINALITY c
    WHERE c.value->>'change' <> 'NOTHING'
$$;
