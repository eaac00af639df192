-- +goose Up
-- The value of a custom field may be set at one stop of its order.
ALTER TABLE custom_field_values ADD COLUMN stop text
    CONSTRAINT custom_field_values_stop_check CHECK (stop IN ('pickup', 'delivery'));
COMMENT ON COLUMN custom_field_values.stop IS 'Where it is set; null for the order as a whole.';

-- The stops at which a value is shown, by what its definition says: at its own,
-- at the other, at both, or at one of them whatever. A value of the whole order is
-- at both.
CREATE FUNCTION shown_on(display_on text, stop text) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE
        WHEN display_on IN ('pickup', 'delivery') THEN ARRAY[display_on]
        WHEN stop IS NULL OR display_on = 'both' THEN ARRAY['pickup', 'delivery']
        WHEN (display_on = 'current') = (stop = 'pickup') THEN ARRAY['pickup']
        ELSE ARRAY['delivery']
    END;

-- As before, with the stop where a value is set and those where it is shown.
-- +goose StatementBegin
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
-- +goose StatementEnd
