-- +goose Up
-- The kinds of personal data that a key may read; null is all of them, as of every key that is
-- there already.
ALTER TABLE api_keys ADD COLUMN personal_data text[]
    CONSTRAINT api_keys_personal_data_check CHECK (personal_data <@ '{CONTACTS,PROOFS,POSITIONS}'::text[]);

-- As in 00220_organizations_closed.sql, with the kinds of personal data.
DROP FUNCTION find_api_key(text);
-- +goose StatementBegin
CREATE FUNCTION find_api_key(public_part text)
    RETURNS TABLE (org_id bigint, id bigint, name text, hash bytea, expires_at timestamptz,
                   revoked_at timestamptz, timezone text, language text, personal_data text[])
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp
AS $$
    SELECT k.org_id, k.id, k.name, k.hash, k.expires_at, k.revoked_at, o.timezone, o.language, k.personal_data
    FROM api_keys k JOIN organizations o ON o.id = k.org_id
    WHERE k.public_part = find_api_key.public_part AND o.closed_at IS NULL
$$;
-- +goose StatementEnd
REVOKE EXECUTE ON FUNCTION find_api_key(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION find_api_key(text) TO waybill_app;
