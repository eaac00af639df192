-- name: ClaimIdempotencyKey :one
-- Claims a key that is new or expired, or whose claim has lapsed without an
-- answer to the same request, whose outcome is then returned. No row means
-- that another request holds it.
INSERT INTO idempotency_keys AS k (org_id, operation, caller, key, fingerprint, claimed_until, expires_at)
VALUES (@org_id, @operation, @caller, @key, @fingerprint, now() + make_interval(secs => @claim_seconds::float8),
    now() + make_interval(secs => @keep_seconds::float8))
ON CONFLICT (org_id, operation, caller, key) DO UPDATE SET
    fingerprint = excluded.fingerprint, claim = nextval('idempotency_keys_claim_seq'),
    claimed_until = excluded.claimed_until, status = NULL, headers = NULL, body = NULL,
    outcome = CASE WHEN k.expires_at < now() THEN NULL ELSE k.outcome END,
    expires_at = CASE WHEN k.expires_at < now() OR k.outcome IS NULL THEN excluded.expires_at ELSE k.expires_at END
WHERE k.expires_at < now() OR (k.status IS NULL AND k.claimed_until < now() AND k.fingerprint = excluded.fingerprint)
RETURNING k.claim::bigint AS claim, coalesce(k.outcome, '')::bytea AS outcome;

-- name: ReadIdempotencyKey :one
SELECT fingerprint, coalesce(status, 0)::smallint AS status, coalesce(headers, '{}')::jsonb AS headers,
    coalesce(body, '')::bytea AS body, extract(epoch FROM claimed_until - now())::float8 AS lapses_in
FROM idempotency_keys WHERE org_id = @org_id AND operation = @operation AND caller = @caller AND key = @key;

-- name: KeepAnswer :exec
UPDATE idempotency_keys SET status = @status::smallint, headers = @headers::jsonb, body = @body::bytea
WHERE org_id = @org_id AND operation = @operation AND caller = @caller AND key = @key AND claim = @claim::bigint;

-- name: KeepOutcome :execrows
-- Stores the outcome of a claim's attempt, in its transaction. No row means
-- that the claim is lost, or that an earlier attempt has succeeded.
UPDATE idempotency_keys SET outcome = @outcome::bytea
WHERE org_id = @org_id AND operation = @operation AND caller = @caller AND key = @key AND claim = @claim::bigint
    AND status IS NULL AND outcome IS NULL;

-- name: ForgetOutcome :exec
-- Deletes the outcome, in the transaction that reverts it.
UPDATE idempotency_keys SET outcome = NULL
WHERE org_id = @org_id AND operation = @operation AND caller = @caller AND key = @key AND claim = @claim::bigint;

-- name: ReleaseIdempotencyKey :exec
-- Deletes a key without an outcome, and ends the claim on one that has an
-- outcome without an answer.
WITH gone AS (
    DELETE FROM idempotency_keys d
    WHERE d.org_id = @org_id AND d.operation = @operation AND d.caller = @caller AND d.key = @key
        AND d.claim = @claim::bigint
        AND d.status IS NULL AND d.outcome IS NULL
)
UPDATE idempotency_keys AS k SET claimed_until = now()
WHERE k.org_id = @org_id AND k.operation = @operation AND k.caller = @caller AND k.key = @key
    AND k.claim = @claim::bigint
    AND k.status IS NULL AND k.outcome IS NOT NULL;
