-- name: PageMasterData :many
-- One page of a kind of master data, or the one record with an id. Only the part
-- of the kind is carried out.
SELECT count(*) OVER () AS total, m.document::jsonb AS document
FROM v1_master_data m
WHERE m.kind = @kind AND m.org_id = @org_id
  AND (sqlc.narg('id')::bigint IS NULL OR m.id = sqlc.narg('id')::bigint)
  AND (sqlc.narg('is_active')::boolean IS NULL OR m.is_active = sqlc.narg('is_active')::boolean)
ORDER BY m.place, m.id
LIMIT @page_size::int OFFSET @skip::int;

-- name: ReadOrganization :one
SELECT document::jsonb AS document FROM v1_organization WHERE org_id = @org_id;
