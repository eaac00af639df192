-- name: ReadLocation :one
SELECT document::jsonb AS document FROM v1_locations WHERE org_id = @org_id AND id = @id;

-- name: PageLocations :many
SELECT count(*) OVER () AS total, document::jsonb AS document
FROM v1_locations WHERE org_id = @org_id
ORDER BY id
LIMIT @page_size::int OFFSET @skip::int;

-- name: LockLocation :one
-- Takes a location for this transaction, so that no template begins to use it
-- meanwhile.
SELECT coalesce(external_id, '')::text AS external_id FROM locations
WHERE org_id = @org_id AND id = @id AND deleted_at IS NULL
FOR UPDATE;

-- name: CountActiveTemplatesOfLocation :one
SELECT count(*)::int AS templates FROM recurring_orders
WHERE org_id = @org_id AND is_active AND (pickup_location_id = @location_id OR delivery_location_id = @location_id);

-- name: DeleteLocation :exec
-- Marks a location as deleted: orders that refer to it stay as they are.
UPDATE locations SET deleted_at = now(), updated_at = now() WHERE org_id = @org_id AND id = @id AND deleted_at IS NULL;
