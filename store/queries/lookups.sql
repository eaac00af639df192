-- name: PageMasterData :many
-- One page of a kind of master data, or the one record with an id. Only the
-- kind's part is executed.
SELECT count(*) OVER () AS total, m.document::jsonb AS document
FROM v1_master_data m
WHERE m.kind = @kind AND m.org_id = @org_id
  AND (sqlc.narg('id')::bigint IS NULL OR m.id = sqlc.narg('id')::bigint)
  AND (sqlc.narg('is_active')::boolean IS NULL OR m.is_active = sqlc.narg('is_active')::boolean)
ORDER BY m.place, m.id
LIMIT @page_size::int OFFSET @skip::int;

-- name: ReadOrganization :one
SELECT document::jsonb AS document FROM v1_organization WHERE org_id = @org_id;

-- name: ReadMessaging :one
-- The senders of messages. Omitted values are the installation's.
SELECT jsonb_build_object(
    'email_from', nullif(m.email_from, ''), 'email_name', nullif(m.email_name, ''), 'sms_from', nullif(m.sms_from, ''),
    'country', nullif(m.country, ''), 'smtp_url_variable', nullif(m.smtp_url, ''),
    'sms_account_variable', nullif(m.sms_account, ''), 'sms_token_variable', nullif(m.sms_token, ''),
    'sendgrid_key_variable', nullif(m.sendgrid_key, ''), 'postmark_login_variable', nullif(m.postmark_login, ''))::jsonb AS document
FROM (SELECT @org_id::bigint AS org_id) o LEFT JOIN messaging_settings m ON m.org_id = o.org_id;

-- name: OrderTypeInUse :one
-- An order type in use, by its id or else by its name.
SELECT t.id FROM order_types t
WHERE t.org_id = @org_id AND t.is_active
  AND CASE WHEN sqlc.narg('id')::bigint IS NOT NULL THEN t.id = sqlc.narg('id')::bigint
      ELSE lower(t.name) = lower(@name::text) END;
