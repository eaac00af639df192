-- Who calls is known only once the key is found, so this one look-up, by the
-- key's public part, goes round the policies.
CREATE OR REPLACE FUNCTION find_api_key(public_part text)
    RETURNS TABLE (org_id bigint, id bigint, name text, hash bytea, expires_at timestamptz,
                   revoked_at timestamptz, timezone text, language text, personal_data text[])
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp
AS $$
    SELECT k.org_id, k.id, k.name, k.hash, k.expires_at, k.revoked_at, o.timezone, o.language, k.personal_data
    FROM api_keys k JOIN organizations o ON o.id = k.org_id
    WHERE k.public_part = find_api_key.public_part AND o.closed_at IS NULL
$$;

REVOKE EXECUTE ON FUNCTION find_api_key FROM PUBLIC;
GRANT EXECUTE ON FUNCTION find_api_key TO waybill_app;
