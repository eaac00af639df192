-- Accounts of people and their roles.

-- name: CreateUser :one
INSERT INTO users (org_id, email, name, language, driver_id, department_id, state, source)
VALUES (@org_id, @email, @name, nullif(@language::text, ''), nullif(@driver_id::bigint, 0),
    nullif(@department_id::bigint, 0), 'invited', @source)
RETURNING id;

-- name: UpdateUser :exec
UPDATE users SET email = @email, name = @name, language = nullif(@language::text, ''),
    driver_id = nullif(@driver_id::bigint, 0), department_id = nullif(@department_id::bigint, 0), state = @state,
    updated_at = clock_timestamp()
WHERE org_id = @org_id AND id = @id;

-- name: SetUserRoles :exec
WITH gone AS (
    DELETE FROM user_roles m WHERE m.org_id = @org_id AND m.user_id = @user_id AND m.role_id <> ALL (@role_ids::bigint[])
)
INSERT INTO user_roles (org_id, user_id, role_id)
SELECT @org_id, @user_id, unnest(@role_ids::bigint[]) ON CONFLICT DO NOTHING;

-- name: ListUsers :many
-- A page of the accounts, by their ids.
SELECT u.id, u.email, u.name, coalesce(u.language, '')::text AS language, coalesce(u.driver_id, 0)::bigint AS driver_id,
    coalesce(u.department_id, 0)::bigint AS department_id, u.state, u.source, u.invited_at, u.last_seen_at, u.updated_at,
    EXISTS (SELECT FROM totp_seeds t WHERE t.org_id = u.org_id AND t.user_id = u.id AND t.confirmed_at IS NOT NULL)
        AS has_totp, (u.passphrase IS NOT NULL)::boolean AS has_passphrase,
    (SELECT count(*) FROM passkeys p WHERE p.org_id = u.org_id AND p.user_id = u.id)::int AS passkeys,
    (SELECT coalesce(jsonb_agg(jsonb_build_object('id', r.id, 'name', r.name, 'base', r.base, 'tags', to_jsonb(r.tags)) ORDER BY r.id), '[]')
        FROM user_roles m JOIN roles r ON r.org_id = m.org_id AND r.id = m.role_id
        WHERE m.org_id = u.org_id AND m.user_id = u.id)::jsonb AS roles
FROM users u
WHERE u.org_id = @org_id AND (@id::bigint = 0 OR u.id = @id) AND (@email::text = '' OR lower(u.email) = lower(@email))
  AND (@state::text = '' OR u.state = @state) AND u.id > @after::bigint
ORDER BY u.id LIMIT @page_size::int OFFSET @page_offset::int;

-- name: CountUsers :one
SELECT count(*) FROM users u WHERE u.org_id = @org_id AND (@state::text = '' OR u.state = @state);

-- name: LockUser :one
-- One change of an account at a time.
SELECT u.id FROM users u WHERE u.org_id = @org_id AND u.id = @id FOR UPDATE;

-- name: LockAdmins :many
-- The users who can administer the whole organization and have accepted their
-- invitations. Locked for this transaction.
SELECT u.id FROM users u
WHERE u.org_id = @org_id AND u.state = 'active' AND EXISTS (
    SELECT FROM user_roles m JOIN roles r ON r.org_id = m.org_id AND r.id = m.role_id
    WHERE m.org_id = u.org_id AND m.user_id = u.id AND r.base = 'admin' AND r.is_builtin)
ORDER BY u.id FOR UPDATE OF u;

-- name: UserCredentials :one
-- The credentials of a user, by id or by address.
SELECT u.id, u.name, u.email, u.state, coalesce(u.passphrase, '')::text AS passphrase,
    coalesce(u.language, o.language) AS language, o.name AS organization, o.slug,
    coalesce((SELECT t.confirmed_at IS NOT NULL FROM totp_seeds t WHERE t.org_id = u.org_id AND t.user_id = u.id),
        false)::boolean AS has_totp,
    (SELECT count(*) FROM passkeys p WHERE p.org_id = u.org_id AND p.user_id = u.id)::int AS passkeys
FROM users u JOIN organizations o ON o.id = u.org_id
WHERE u.org_id = @org_id AND (u.id = @id::bigint OR lower(u.email) = lower(@email::text));

-- name: SetPassphrase :exec
UPDATE users SET passphrase = @passphrase, updated_at = clock_timestamp() WHERE org_id = @org_id AND id = @id;

-- name: SetUserState :exec
UPDATE users SET state = @state, updated_at = clock_timestamp() WHERE org_id = @org_id AND id = @id;

-- name: NoteInvited :exec
UPDATE users SET invited_at = @at::timestamptz WHERE org_id = @org_id AND id = @id;

-- name: ListRoles :many
SELECT r.id, r.name, r.base, r.tags, r.is_builtin, r.updated_at,
    (SELECT count(*) FROM user_roles m WHERE m.org_id = r.org_id AND m.role_id = r.id)::int AS users
FROM roles r WHERE r.org_id = @org_id AND (@id::bigint = 0 OR r.id = @id) ORDER BY r.id LIMIT 500;

-- name: CreateRole :one
INSERT INTO roles (org_id, name, base, tags) VALUES (@org_id, @name, @base, @tags::text[]) RETURNING id;

-- name: UpdateRole :exec
UPDATE roles SET name = @name, base = @base, tags = @tags::text[], updated_at = clock_timestamp()
WHERE org_id = @org_id AND id = @id AND NOT is_builtin;

-- name: RolesByNames :many
SELECT id, name FROM roles WHERE org_id = @org_id AND lower(name) = ANY (@names::text[]);

-- name: AccountFacts :one
-- All that a message about an account may speak of, and the latest try of it.
SELECT o.name AS organization, coalesce(u.language, o.language) AS language, coalesce(u.email, '') AS email,
    coalesce(u.name, d.name, '') AS name,
    coalesce(u.state, CASE WHEN d.is_active THEN 'active' ELSE 'disabled' END)::text AS state, e.kind,
    coalesce(m.email_from, '') AS email_from, coalesce(m.sms_from, '') AS sms_from, coalesce(u.id, 0)::bigint AS user_id,
    coalesce(d.id, 0)::bigint AS driver_id, coalesce(d.phone_number, '') AS phone_number,
    coalesce(e.data ->> 'request', '')::text AS request, o.slug, coalesce(p.id, 0)::bigint AS prior_id,
    coalesce(p.try, 0)::smallint AS prior_try, coalesce(p.status, '') AS prior_status,
    coalesce(p.workflow_id, '') AS prior_workflow, coalesce(p.run_id, '') AS prior_run,
    coalesce(p.failure, '') AS prior_failure, coalesce(p.uncertain, false)::boolean AS prior_uncertain,
    (coalesce(m.sendgrid_key, '') <> '' OR coalesce(m.postmark_login, '') <> '')::boolean AS reports_mail
FROM events e
LEFT JOIN users u ON u.org_id = e.org_id AND u.id = e.subject_id AND e.subject_type = 'user'
LEFT JOIN drivers d ON d.org_id = e.org_id AND d.id = e.subject_id AND e.subject_type = 'driver'
JOIN organizations o ON o.id = e.org_id
LEFT JOIN messaging_settings m ON m.org_id = o.id
LEFT JOIN LATERAL (
    SELECT n.id, n.try, n.status, n.workflow_id, n.run_id, n.failure, n.uncertain FROM notifications n
    WHERE n.org_id = o.id AND n.key = @key ORDER BY n.try DESC LIMIT 1
) p ON true
WHERE e.org_id = @org_id AND e.id = @event_id AND e.kind <> 'alert.raised' AND coalesce(u.id, d.id) IS NOT NULL;

-- name: OrganizationName :one
SELECT name FROM organizations WHERE id = @org_id;

-- name: OrganizationCountry :one
-- The country of phone numbers, and the time zone from which it is guessed if
-- it is not set.
SELECT coalesce(m.country, '') AS country, o.timezone
FROM organizations o LEFT JOIN messaging_settings m ON m.org_id = o.id WHERE o.id = @org_id;

-- name: OrganizationNames :one
SELECT slug, name FROM organizations WHERE id = @org_id;
