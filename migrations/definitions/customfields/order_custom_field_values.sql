-- The relation CustomFieldValues of an order on the v1 wire, when loads names it, with the stop
-- where a value is set and those where it is shown. It includes values of fields that are no
-- longer in use.
CREATE OR REPLACE FUNCTION order_custom_field_values(org bigint, order_id bigint, loads text[]) RETURNS jsonb
    LANGUAGE sql STABLE PARALLEL SAFE
AS $$
    SELECT CASE WHEN 'CustomFieldValues' = ANY (loads) THEN jsonb_build_object('custom_field_values', (
        SELECT coalesce(jsonb_agg(jsonb_build_object('definition_id', d.id, 'external_id', d.external_id, 'label', d.label,
            'value', v.value, 'is_active', d.is_active, 'stop', v.stop, 'shown_on', shown_on(d.display_on, v.stop))
            ORDER BY d.external_id), '[]')
        FROM custom_field_values v JOIN custom_field_definitions d ON d.org_id = v.org_id AND d.id = v.definition_id
        WHERE v.org_id = org AND v.order_id = order_custom_field_values.order_id)) ELSE '{}' END
$$;
