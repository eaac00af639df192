-- +goose Up
-- People and devices have Idempotency-Keys of their own. The API keys of an
-- organization share theirs (caller is empty): they are one integrator, who may
-- change keys between two tries.

ALTER TABLE idempotency_keys ADD COLUMN caller text NOT NULL DEFAULT '';
ALTER TABLE idempotency_keys DROP CONSTRAINT idempotency_keys_pkey;
ALTER TABLE idempotency_keys ADD CONSTRAINT idempotency_keys_pkey PRIMARY KEY (org_id, operation, caller, key);

-- +goose StatementBegin
CREATE OR REPLACE FUNCTION forget_idempotency_keys(batch integer) RETURNS integer
    LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp
AS $$
    WITH doomed AS (
        SELECT org_id, operation, caller, key FROM idempotency_keys
        WHERE expires_at < now() ORDER BY expires_at LIMIT batch FOR UPDATE SKIP LOCKED
    ), gone AS (
        DELETE FROM idempotency_keys k USING doomed d
        WHERE k.org_id = d.org_id AND k.operation = d.operation AND k.caller = d.caller AND k.key = d.key
        RETURNING 1
    )
    SELECT count(*)::integer FROM gone
$$;
-- +goose StatementEnd
