-- Queries for receipts of erasures.

-- name: ErasureKey :many
-- The sealed key of the hashes, and the country of phone numbers; no row before the first
-- erasure.
SELECT k.sealed_key, coalesce(m.country, '') AS country, o.timezone
FROM erasure_keys k
JOIN organizations o ON o.id = k.org_id
LEFT JOIN messaging_settings m ON m.org_id = k.org_id
WHERE k.org_id = @org_id;

-- name: KeepErasureKey :exec
INSERT INTO erasure_keys (org_id, sealed_key) VALUES (@org_id, @sealed_key) ON CONFLICT (org_id) DO NOTHING;

-- name: BeginErasure :one
INSERT INTO erasures (org_id, actor, objects)
VALUES (@org_id, @actor, @objects)
RETURNING id;

-- name: Turn :one
-- The transactions that run are before this one.
SELECT pg_snapshot_xmax(pg_current_snapshot())::text::bigint AS turn;

-- name: HasPassed :one
-- Whether all transactions before one have ended.
SELECT (pg_snapshot_xmin(pg_current_snapshot())::text::bigint >= @turn::bigint)::boolean AS passed;

-- name: EndErasure :exec
UPDATE erasures SET finished_at = now(), found = @found WHERE org_id = @org_id AND id = @id;

-- name: KeepErasedAddresses :exec
-- An address that was closed before the erasure stays closed.
INSERT INTO erased_addresses (org_id, hash, objects)
SELECT DISTINCT ON (h.hash) @org_id::bigint, h.hash, h.objects
FROM (SELECT unnest(@hashes::bytea[]) AS hash, unnest(@objects::boolean[]) AS objects) h
ORDER BY h.hash, h.objects DESC
ON CONFLICT (org_id, hash) DO UPDATE SET objects = true WHERE excluded.objects AND NOT erased_addresses.objects;

-- name: ClosedAddresses :many
SELECT DISTINCT s.address FROM suppressions s WHERE s.org_id = @org_id AND s.address = ANY (@addresses::text[]);

-- name: ErasedAddresses :many
-- Those of some hashes that are of erased addresses.
SELECT a.hash, a.objects FROM erased_addresses a WHERE a.org_id = @org_id AND a.hash = ANY (@hashes::bytea[]);

-- name: AllErasedAddresses :many
SELECT a.hash, a.objects FROM erased_addresses a WHERE a.org_id = @org_id ORDER BY a.hash;

-- name: WithdrawObjection :many
UPDATE erased_addresses a SET objects = false
WHERE a.org_id = @org_id AND a.hash = ANY (@hashes::bytea[]) AND a.objects RETURNING a.hash;

-- name: Erasures :many
SELECT e.id, e.actor, e.objects, e.started_at, e.finished_at, e.found
FROM erasures e
WHERE e.org_id = @org_id AND (@before::bigint = 0 OR e.id < @before) AND (sqlc.narg('id')::bigint IS NULL OR e.id = sqlc.narg('id'))
ORDER BY e.id DESC LIMIT @size;
