-- +goose Up
-- A custom field that ever had a value is never deleted, even when no order
-- has one any more; and the drivers to whom orders are locked.

ALTER TABLE custom_field_definitions ADD COLUMN was_used boolean NOT NULL DEFAULT false;
UPDATE custom_field_definitions d SET was_used = true
WHERE EXISTS (SELECT FROM custom_field_values v WHERE v.org_id = d.org_id AND v.definition_id = d.id);

-- Marks definitions when they get their first value, whoever gives it.
-- +goose StatementBegin
CREATE FUNCTION mark_custom_fields_used() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE custom_field_definitions d SET was_used = true
    FROM (SELECT DISTINCT org_id, definition_id FROM added ORDER BY org_id, definition_id) a
    WHERE d.org_id = a.org_id AND d.id = a.definition_id AND NOT d.was_used;
    RETURN NULL;
END
$$;
-- +goose StatementEnd
CREATE TRIGGER custom_field_values_used AFTER INSERT ON custom_field_values
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION mark_custom_fields_used();

-- The relation CustomFieldValues of an order on the v1 wire, when loads asks
-- for it. Values of fields that are no longer in use are shown, too.
-- +goose StatementBegin
CREATE FUNCTION order_custom_field_values(org bigint, order_id bigint, loads text[]) RETURNS jsonb
    LANGUAGE sql STABLE PARALLEL SAFE
AS $$
    SELECT CASE WHEN 'CustomFieldValues' = ANY (loads) THEN jsonb_build_object('custom_field_values', (
        SELECT coalesce(jsonb_agg(jsonb_build_object('definition_id', d.id, 'external_id', d.external_id, 'label', d.label,
            'value', v.value, 'is_active', d.is_active) ORDER BY d.external_id), '[]')
        FROM custom_field_values v JOIN custom_field_definitions d ON d.org_id = v.org_id AND d.id = v.definition_id
        WHERE v.org_id = org AND v.order_id = order_custom_field_values.order_id)) ELSE '{}' END
$$;
-- +goose StatementEnd

-- The driver who alone may drive an order.
CREATE TABLE order_driver_locks (
    org_id    bigint NOT NULL REFERENCES organizations (id),
    order_id  bigint NOT NULL,
    driver_id bigint NOT NULL,
    locked_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT order_driver_locks_pkey PRIMARY KEY (org_id, order_id),
    CONSTRAINT order_driver_locks_order_fkey FOREIGN KEY (org_id, order_id) REFERENCES orders (org_id, id),
    CONSTRAINT order_driver_locks_driver_fkey FOREIGN KEY (org_id, driver_id) REFERENCES drivers (org_id, id)
);
CREATE INDEX order_driver_locks_driver_idx ON order_driver_locks (org_id, driver_id);
SELECT guard_tenant('order_driver_locks');
