-- name: ClaimIdempotencyKey :one
-- Takes a key that is new, or expired, or whose claim has lapsed without an
-- answer to the same request. No row means that somebody else has it.
INSERT INTO idempotency_keys AS k (org_id, operation, caller, key, fingerprint, claimed_until, expires_at)
VALUES (@org_id, @operation, @caller, @key, @fingerprint, now() + make_interval(secs => @claim_seconds::float8),
    now() + make_interval(secs => @keep_seconds::float8))
ON CONFLICT (org_id, operation, caller, key) DO UPDATE SET
    fingerprint = excluded.fingerprint, claim = nextval('idempotency_keys_claim_seq'), claimed_until = excluded.claimed_until,
    status = NULL, headers = NULL, body = NULL, expires_at = excluded.expires_at
WHERE k.expires_at < now() OR (k.status IS NULL AND k.claimed_until < now() AND k.fingerprint = excluded.fingerprint)
RETURNING k.claim::bigint AS claim;

-- name: ReadIdempotencyKey :one
SELECT fingerprint, coalesce(status, 0)::smallint AS status, coalesce(headers, '{}')::jsonb AS headers,
    coalesce(body, '')::bytea AS body
FROM idempotency_keys WHERE org_id = @org_id AND operation = @operation AND caller = @caller AND key = @key;

-- name: KeepAnswer :exec
UPDATE idempotency_keys SET status = @status::smallint, headers = @headers::jsonb, body = @body::bytea
WHERE org_id = @org_id AND operation = @operation AND caller = @caller AND key = @key AND claim = @claim::bigint;

-- name: ReleaseIdempotencyKey :exec
DELETE FROM idempotency_keys
WHERE org_id = @org_id AND operation = @operation AND caller = @caller AND key = @key AND claim = @claim::bigint AND status IS NULL;

-- name: ForgetIdempotencyKeys :one
SELECT forget_idempotency_keys(@batch::int)::int AS gone;
