-- Whose code it is says only the code.
CREATE OR REPLACE FUNCTION find_account_code(public_part text)
    RETURNS TABLE (org_id bigint, id bigint, purpose text, hash bytea, user_id bigint, driver_id bigint,
                   expires_at timestamptz, used_at timestamptz)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp
AS $$
    SELECT c.org_id, c.id, c.purpose, c.hash, c.user_id, c.driver_id, c.expires_at, c.used_at
    FROM account_codes c JOIN organizations o ON o.id = c.org_id
    WHERE c.public_part = find_account_code.public_part AND o.closed_at IS NULL
$$;

REVOKE EXECUTE ON FUNCTION find_account_code FROM PUBLIC;
GRANT EXECUTE ON FUNCTION find_account_code TO waybill_app;
