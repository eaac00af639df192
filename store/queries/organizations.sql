-- name: FindOrganization :one
-- The organisation with a slug, 0 when there is none. It goes round the
-- policies, because who asks does not know the organisation yet.
SELECT coalesce(find_organization(@slug), 0)::bigint AS id;
