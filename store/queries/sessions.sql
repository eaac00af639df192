-- Sessions of users and devices.

-- name: TouchSession :exec
WITH touched AS (
    UPDATE sessions s SET last_used_at = @at::timestamptz
    WHERE s.org_id = @org_id AND s.id = @id AND s.last_used_at < @at RETURNING s.user_id
)
UPDATE users u SET last_seen_at = @at::timestamptz FROM touched t WHERE u.org_id = @org_id AND u.id = t.user_id;

-- name: NoteApp :exec
-- Records a phone's app version, if it changed.
UPDATE sessions SET app_release = coalesce(sqlc.narg('app_release')::text, app_release),
    storage_kept = coalesce(sqlc.narg('storage_kept')::boolean, storage_kept)
WHERE org_id = @org_id AND id = @id
  AND (app_release IS DISTINCT FROM coalesce(sqlc.narg('app_release')::text, app_release)
    OR storage_kept IS DISTINCT FROM coalesce(sqlc.narg('storage_kept')::boolean, storage_kept));

-- name: CreateSession :one
INSERT INTO sessions (org_id, kind, public_part, hash, user_id, driver_id, name, signed_in_at, created_at, last_used_at,
    expires_at, idle_seconds)
VALUES (@org_id, @kind, @public_part, @hash, nullif(@user_id::bigint, 0), nullif(@driver_id::bigint, 0), @name,
    @signed_in_at, @at::timestamptz, @at, @expires_at, nullif(@idle_seconds::int, 0))
RETURNING id;

-- name: ListSessions :many
-- The sessions of a kind that are good, of one user or of one driver, newest
-- first.
SELECT id, public_part, name, created_at, last_used_at, expires_at, idle_seconds, app_release, storage_kept
FROM sessions s
WHERE s.org_id = @org_id AND s.kind = @kind AND s.ended_at IS NULL AND s.expires_at > @at::timestamptz
  AND (s.idle_seconds IS NULL OR s.last_used_at + make_interval(secs => s.idle_seconds) > @at)
  AND (s.user_id = nullif(@user_id::bigint, 0) OR s.driver_id = nullif(@driver_id::bigint, 0))
ORDER BY s.id DESC LIMIT 200;

-- name: EndSession :one
-- Ends one session of a user or driver, and returns it.
UPDATE sessions SET ended_at = @at::timestamptz
WHERE org_id = @org_id AND id = @id AND kind = @kind AND ended_at IS NULL
  AND (user_id = nullif(@user_id::bigint, 0) OR driver_id = nullif(@driver_id::bigint, 0))
RETURNING public_part;

-- name: EndSessionsOfUser :many
-- Ends a user's sessions, except one (0 for none), and without tokens unless
-- requested.
UPDATE sessions SET ended_at = @at::timestamptz
WHERE org_id = @org_id AND user_id = @user_id::bigint AND ended_at IS NULL AND id <> @keep::bigint
  AND (kind <> 'token' OR @tokens::boolean)
RETURNING id;

-- name: EndSessionsOfDriver :exec
UPDATE sessions SET ended_at = @at::timestamptz
WHERE org_id = @org_id AND driver_id = @driver_id::bigint AND ended_at IS NULL;

-- name: EndSessionByPublicPart :exec
UPDATE sessions SET ended_at = @at::timestamptz
WHERE org_id = @org_id AND public_part = @public_part AND ended_at IS NULL;
