-- Who calls is known only once the session is found, so this look-up goes round
-- the policies, as find_api_key does. It is good while its owner is: grants are
-- the roles, each with the tags that narrow it.
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

REVOKE EXECUTE ON FUNCTION find_session FROM PUBLIC;
GRANT EXECUTE ON FUNCTION find_session TO waybill_app;
