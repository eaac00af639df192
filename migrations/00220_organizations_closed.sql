-- +goose Up
-- An organization that is about to be removed is closed first: nobody signs in there,
-- and no key, session, code or tracking link of it is found any more.
ALTER TABLE organizations ADD COLUMN closed_at timestamptz;

-- +goose StatementBegin
CREATE OR REPLACE FUNCTION find_organization(slug text) RETURNS bigint
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp
AS $$ SELECT id FROM organizations o WHERE o.slug = find_organization.slug AND o.closed_at IS NULL $$;

CREATE OR REPLACE FUNCTION find_api_key(public_part text)
    RETURNS TABLE (org_id bigint, id bigint, name text, hash bytea, expires_at timestamptz,
                   revoked_at timestamptz, timezone text, language text)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp
AS $$
    SELECT k.org_id, k.id, k.name, k.hash, k.expires_at, k.revoked_at, o.timezone, o.language
    FROM api_keys k JOIN organizations o ON o.id = k.org_id
    WHERE k.public_part = find_api_key.public_part AND o.closed_at IS NULL
$$;

CREATE OR REPLACE FUNCTION find_session(public_part text)
    RETURNS TABLE (org_id bigint, id bigint, kind text, hash bytea, user_id bigint, driver_id bigint,
                   signed_in_at timestamptz, last_used_at timestamptz, expires_at timestamptz, idle_seconds integer,
                   is_good boolean, timezone text, language text, grants jsonb)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp
AS $$
    SELECT s.org_id, s.id, s.kind, s.hash, s.user_id, s.driver_id, s.signed_in_at, s.last_used_at, s.expires_at,
        s.idle_seconds, s.ended_at IS NULL AND coalesce(u.state = 'active', d.is_active), o.timezone,
        coalesce(u.language, o.language),
        CASE WHEN s.kind = 'device' THEN '[{"role": "driver"}]' ELSE coalesce((
            SELECT jsonb_agg(jsonb_build_object('role', r.base, 'tags', to_jsonb(r.tags)) ORDER BY r.id)
            FROM user_roles m JOIN roles r ON r.org_id = m.org_id AND r.id = m.role_id
            WHERE m.org_id = s.org_id AND m.user_id = s.user_id), '[]') END
    FROM sessions s JOIN organizations o ON o.id = s.org_id
    LEFT JOIN users u ON u.org_id = s.org_id AND u.id = s.user_id
    LEFT JOIN drivers d ON d.org_id = s.org_id AND d.id = s.driver_id
    WHERE s.public_part = find_session.public_part AND o.closed_at IS NULL
$$;

CREATE OR REPLACE FUNCTION find_account_code(public_part text)
    RETURNS TABLE (org_id bigint, id bigint, purpose text, hash bytea, user_id bigint, driver_id bigint,
                   expires_at timestamptz, used_at timestamptz)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp
AS $$
    SELECT c.org_id, c.id, c.purpose, c.hash, c.user_id, c.driver_id, c.expires_at, c.used_at
    FROM account_codes c JOIN organizations o ON o.id = c.org_id
    WHERE c.public_part = find_account_code.public_part AND o.closed_at IS NULL
$$;

CREATE OR REPLACE FUNCTION find_tracking_link(code text) RETURNS bigint
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp
AS $$
    SELECT l.org_id FROM tracking_links l JOIN organizations o ON o.id = l.org_id
    WHERE l.code = find_tracking_link.code AND l.revoked_at IS NULL AND l.expires_at > now() AND o.closed_at IS NULL
$$;

-- Housekeeping starts no workflow of these again.
CREATE FUNCTION closed_organizations() RETURNS SETOF bigint
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp
AS $$ SELECT id FROM organizations o WHERE o.closed_at IS NOT NULL $$;
-- +goose StatementEnd
REVOKE EXECUTE ON FUNCTION closed_organizations() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION closed_organizations() TO waybill_app;
