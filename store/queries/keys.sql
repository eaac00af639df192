-- name: TouchAPIKey :exec
UPDATE api_keys SET last_used_at = now() WHERE org_id = @org_id AND id = @id;

-- name: CreateAPIKey :one
INSERT INTO api_keys (org_id, name, public_part, hash, expires_at, personal_data)
VALUES (@org_id, @name, @public_part, @hash, @expires_at, sqlc.narg('personal_data')::text[])
RETURNING id;

-- name: ListAPIKeys :many
SELECT id, name, public_part, created_at, expires_at, revoked_at, last_used_at, personal_data
FROM api_keys WHERE org_id = @org_id ORDER BY id;

-- name: RevokeAPIKeys :many
-- Revokes the unrevoked keys with a name, at a time that may be in the future
-- so that an old and a new key overlap.
UPDATE api_keys SET revoked_at = @revoked_at::timestamptz
WHERE org_id = @org_id AND name = @name AND (revoked_at IS NULL OR revoked_at > @revoked_at::timestamptz)
RETURNING id, public_part;

-- name: RevokeAPIKey :one
-- Ends one key at a time, unless it ends earlier.
WITH ended AS (
    UPDATE api_keys SET revoked_at = @revoked_at::timestamptz
    WHERE org_id = @org_id AND id = @id AND (revoked_at IS NULL OR revoked_at > @revoked_at::timestamptz)
    RETURNING id
)
SELECT k.name, k.personal_data, EXISTS (SELECT FROM ended) AS ended FROM api_keys k WHERE k.org_id = @org_id AND k.id = @id;
