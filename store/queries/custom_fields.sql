-- name: ListCustomFields :many
-- The custom field definitions of an organization, or only those that are, or
-- are not, in use.
SELECT org_id, id, external_id, label, title, description, icon, color_background, color_text, sort_order_batch,
    display_on, display_style, is_active, created_at, updated_at, was_used
FROM custom_field_definitions
WHERE org_id = @org_id AND (sqlc.narg('is_active')::boolean IS NULL OR is_active = sqlc.narg('is_active')::boolean)
ORDER BY id;

-- name: LockCustomField :one
-- Locks a definition for this transaction, so that no value can refer to it.
SELECT org_id, id, external_id, label, title, description, icon, color_background, color_text, sort_order_batch,
    display_on, display_style, is_active, created_at, updated_at, was_used
FROM custom_field_definitions WHERE org_id = @org_id AND id = @id
FOR UPDATE;

-- name: CreateCustomField :one
INSERT INTO custom_field_definitions (org_id, external_id, label, title, description, icon, color_background,
    color_text, sort_order_batch, display_on, display_style)
VALUES (@org_id, @external_id, @label, @title, @description, @icon, @color_background, @color_text, @sort_order_batch,
    @display_on, @display_style)
RETURNING id, created_at, updated_at;

-- name: UpdateCustomField :one
UPDATE custom_field_definitions SET external_id = @external_id, label = @label, title = @title,
    description = @description, icon = @icon, color_background = @color_background, color_text = @color_text,
    sort_order_batch = @sort_order_batch, display_on = @display_on, display_style = @display_style,
    is_active = @is_active, updated_at = now()
WHERE org_id = @org_id AND id = @id
RETURNING updated_at;

-- name: DeleteCustomField :exec
DELETE FROM custom_field_definitions WHERE org_id = @org_id AND id = @id;

-- name: FindCustomFields :many
-- The definitions in use of these external ids, kept from being deleted.
SELECT id, external_id FROM custom_field_definitions
WHERE org_id = @org_id AND is_active AND external_id = ANY (@external_ids::text[])
ORDER BY id FOR KEY SHARE;

-- name: ReadCustomFieldValues :many
SELECT d.id AS definition_id, d.external_id, d.label, d.is_active, v.value, coalesce(v.stop, '')::text AS stop,
    shown_on(d.display_on, v.stop)::text[] AS shown_on
FROM custom_field_values v JOIN custom_field_definitions d ON d.org_id = v.org_id AND d.id = v.definition_id
WHERE v.org_id = @org_id AND v.order_id = @order_id
ORDER BY d.external_id;

-- name: CustomFieldNamed :one
SELECT d.id, d.display_on FROM custom_field_definitions d WHERE d.org_id = @org_id AND d.external_id = @external_id;

-- name: OrdersByCustomField :many
-- The orders before a given one that have a value of a field, newest first.
SELECT o.id, o.number, o.status_id, o.date, v.value, coalesce(v.stop, '')::text AS stop,
    shown_on(@display_on::text, v.stop)::text[] AS shown_on
FROM find_custom_field_values(@definition_id::bigint, @value::text, @before::bigint, @page_size::int) f
CROSS JOIN LATERAL (SELECT * FROM orders x WHERE x.org_id = @org_id AND x.id = f.order_id OFFSET 0) o
CROSS JOIN LATERAL (SELECT * FROM custom_field_values x
    WHERE x.org_id = @org_id AND x.order_id = f.order_id AND x.definition_id = @definition_id::bigint OFFSET 0) v
ORDER BY o.id DESC;
