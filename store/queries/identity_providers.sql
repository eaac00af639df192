-- Services with whose accounts people of an organization may sign in.

-- name: ListIdentityProviders :many
-- All of them, or one by its id or by its slug.
SELECT id, slug, name, issuer, client_id, sealed_secret, coalesce(new_users_role_id, 0)::bigint AS new_users_role_id,
    is_active, updated_at
FROM oidc_providers
WHERE org_id = @org_id AND (@id::bigint = 0 OR id = @id) AND (@slug::text = '' OR slug = @slug)
ORDER BY id LIMIT 50;

-- name: LockIdentityProvider :one
SELECT id FROM oidc_providers WHERE org_id = @org_id AND id = @id FOR UPDATE;

-- name: CountIdentityProviders :one
SELECT count(*) FROM oidc_providers WHERE org_id = @org_id;

-- name: CreateIdentityProvider :one
INSERT INTO oidc_providers (org_id, slug, name, issuer, client_id, sealed_secret, new_users_role_id, is_active)
VALUES (@org_id, @slug, @name, @issuer, @client_id, @sealed_secret, nullif(@new_users_role_id::bigint, 0), @is_active)
RETURNING id;

-- name: UpdateIdentityProvider :exec
UPDATE oidc_providers SET slug = @slug, name = @name, issuer = @issuer, client_id = @client_id,
    sealed_secret = @sealed_secret, new_users_role_id = nullif(@new_users_role_id::bigint, 0), is_active = @is_active,
    updated_at = clock_timestamp()
WHERE org_id = @org_id AND id = @id;

-- name: DeleteIdentityProvider :execrows
DELETE FROM oidc_providers WHERE org_id = @org_id AND id = @id;

-- name: UserOfIdentity :one
SELECT user_id FROM identities WHERE org_id = @org_id AND issuer = @issuer AND subject = @subject;

-- name: HasIdentity :one
-- Whether a user has an account with an issuer already.
SELECT EXISTS (SELECT FROM identities WHERE org_id = @org_id AND issuer = @issuer AND user_id = @user_id);

-- name: CreateIdentity :exec
INSERT INTO identities (org_id, issuer, subject, user_id, created_at)
VALUES (@org_id, @issuer, @subject, @user_id, @at::timestamptz);
