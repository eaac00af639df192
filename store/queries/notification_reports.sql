-- Providers' reports about messages, and the addresses that they suppress.

-- name: LockReported :many
-- The messages of reports, by our id or the provider's. A message is in doubt when it
-- waits for its next attempt because the result of the last one is unknown.
SELECT n.id, coalesce(n.provider_id, '')::text AS provider_id, n.channel, n.status, n.receiver, n.workflow_id,
    (n.status IN ('queued', 'job_dequeued') AND n.unanswered > 0 AND (
        SELECT s.kind FROM notification_steps s
        WHERE s.org_id = n.org_id AND s.notification_id = n.id AND s.kind IN ('attempt', 'fault')
        ORDER BY s.id DESC LIMIT 1) = 'fault')::boolean AS in_doubt
FROM notifications n
WHERE n.org_id = @org_id AND n.channel = @channel
    AND (n.id = ANY (@ids::bigint[]) OR n.provider_id = ANY (@provider_ids::text[]))
ORDER BY n.id
FOR UPDATE;

-- name: InsertReports :many
-- Stores reports with the status that each implies. Reports stored before are
-- not returned.
INSERT INTO notification_steps (org_id, notification_id, kind, status, code, answer, provider, report_key, occurred_at)
SELECT @org_id, x.notification_id, 'report', x.status, x.code, x.answer, @provider, x.report_key, x.occurred_at
FROM (SELECT unnest(@ids::bigint[]) AS notification_id, unnest(@statuses::text[]) AS status,
    unnest(@codes::text[]) AS code, unnest(@answers::text[]) AS answer, unnest(@report_keys::text[]) AS report_key,
    unnest(@occurred::timestamptz[]) AS occurred_at) x
ON CONFLICT (org_id, notification_id, report_key) WHERE report_key IS NOT NULL DO NOTHING
RETURNING notification_id, report_key::text AS report_key;

-- name: EarlyReports :many
-- The reports of one message, in order of arrival.
SELECT status FROM notification_steps
WHERE org_id = @org_id AND notification_id = @id AND kind = 'report' ORDER BY id;

-- name: MoveReported :exec
-- Changes messages' statuses as reported, each with its event.
WITH given AS (
    SELECT unnest(@ids::bigint[]) AS id, unnest(@statuses::text[]) AS status
), moved AS (
    UPDATE notifications n SET status = g.status, updated_at = now(), uncertain = false,
        sent_at = coalesce(n.sent_at, now()),
        delivered_at = CASE WHEN g.status = 'delivered' THEN now() END
    FROM given g WHERE n.org_id = @org_id AND n.id = g.id
    RETURNING n.org_id, n.id, n.order_id, n.status
), stepped AS (
    INSERT INTO notification_steps (org_id, notification_id, kind, status) SELECT org_id, id, status, status FROM moved
)
INSERT INTO events (org_id, kind, subject_type, subject_id, order_id, notification_id)
SELECT org_id, 'notification.' || status, CASE WHEN order_id IS NULL THEN 'notification' ELSE 'order' END,
    coalesce(order_id, id), order_id, id FROM moved;

-- name: Suppress :exec
-- Closes the addresses of messages.
INSERT INTO suppressions (org_id, channel, address, reason, notification_id)
SELECT DISTINCT ON (n.channel, lower(n.receiver)) n.org_id, n.channel, lower(n.receiver), g.reason, n.id
FROM (SELECT unnest(@ids::bigint[]) AS id, unnest(@reasons::text[]) AS reason) g
JOIN notifications n ON n.org_id = @org_id AND n.id = g.id
ON CONFLICT DO NOTHING;

-- name: ListSuppressions :many
-- A page of blocked addresses after one of them.
SELECT channel, address, reason, coalesce(notification_id, 0)::bigint AS notification_id, created_at
FROM suppressions
WHERE org_id = @org_id AND (channel, address) > (@channel::text, @behind::text)
    AND strpos(address, lower(@part::text)) > 0
ORDER BY channel, address LIMIT @size;

-- name: RemoveSuppression :many
DELETE FROM suppressions WHERE org_id = @org_id AND address = lower(@address)
RETURNING channel, reason, coalesce(notification_id, 0)::bigint AS notification_id;

-- name: MessagingSettings :one
-- An organization's names of secrets; all empty if it has none.
SELECT coalesce(m.smtp_url, '') AS smtp_url, coalesce(m.sms_account, '') AS sms_account,
    coalesce(m.sms_token, '') AS sms_token, coalesce(m.sendgrid_key, '') AS sendgrid_key,
    coalesce(m.postmark_login, '') AS postmark_login
FROM organizations o LEFT JOIN messaging_settings m ON m.org_id = o.id
WHERE o.id = @org_id;
