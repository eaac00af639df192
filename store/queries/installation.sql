-- name: Installation :one
-- The database's installation, and its location. There is one row.
SELECT id::text AS id, made_at, turn, place_of_database()::text AS place FROM installation;

-- name: TakeTurn :exec
-- Counts on, unless another process has done so since then.
UPDATE installation SET turn = turn + 1, turned_at = now() WHERE turned_at < @since;

-- name: Canary :one
-- The sealed canary, if any, and when it was sealed.
SELECT canary, canary_at FROM installation;

-- name: PutCanary :execrows
-- Keeps the sealed word, unless another process was first.
UPDATE installation SET canary = @canary::bytea, canary_at = now() WHERE canary IS NOT DISTINCT FROM @before;
