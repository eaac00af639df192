-- An organization's integrations, and their health. Only the newest thousand records are
-- considered. Never is represented by the year 1.

-- name: IntegrationCarriers :many
-- The carriers of the document and of order types, by name.
SELECT k.name::text AS name, coalesce(c.secret_env, '')::text AS secret_env,
    EXISTS (SELECT FROM order_types t WHERE t.org_id = @org_id AND t.is_active AND t.export_carrier = k.name)::boolean AS exports,
    coalesce((SELECT u.received_at FROM external_updates u WHERE u.org_id = @org_id AND u.carrier = k.name
        ORDER BY u.id DESC LIMIT 1), '0001-01-01 00:00:00+00')::timestamptz AS seen_at
FROM (
    SELECT x.name FROM carriers x WHERE x.org_id = @org_id
    UNION
    SELECT t.export_carrier FROM order_types t WHERE t.org_id = @org_id AND t.is_active AND t.export_carrier IS NOT NULL
    ORDER BY 1 LIMIT 200
) k
LEFT JOIN carriers c ON c.org_id = @org_id AND c.name = k.name
ORDER BY k.name;

-- name: IntegrationsSeen :one
-- The senders of the organization's messages, and when messages were last sent,
-- files uploaded and legs computed.
SELECT coalesce((SELECT m.email_from FROM messaging_settings m WHERE m.org_id = @org_id), '')::text AS email_from,
    coalesce((SELECT m.sms_from FROM messaging_settings m WHERE m.org_id = @org_id), '')::text AS sms_from,
    coalesce((SELECT max(x.sent_at) FROM (SELECT n.sent_at FROM notifications n
        WHERE n.org_id = @org_id AND n.channel = 'EMAIL' ORDER BY n.id DESC LIMIT 1000) x),
        '0001-01-01 00:00:00+00')::timestamptz AS email_at,
    coalesce((SELECT max(x.sent_at) FROM (SELECT n.sent_at FROM notifications n
        WHERE n.org_id = @org_id AND n.channel = 'SMS' ORDER BY n.id DESC LIMIT 1000) x),
        '0001-01-01 00:00:00+00')::timestamptz AS sms_at,
    coalesce((SELECT max(x.uploaded_at) FROM (SELECT d.uploaded_at FROM documents d
        WHERE d.org_id = @org_id ORDER BY d.id DESC LIMIT 1000) x), '0001-01-01 00:00:00+00')::timestamptz AS files_at,
    coalesce((SELECT max(l.found_at) FROM travel_blocks l WHERE l.org_id = @org_id),
        '0001-01-01 00:00:00+00')::timestamptz AS travel_at;

-- name: MessagesFare :one
-- The health of messages of a channel; faults are failures caused by the provider.
-- Uncertain messages count as faults, although they count as sent.
SELECT coalesce(max(x.sent_at) FILTER (WHERE NOT x.uncertain), '0001-01-01 00:00:00+00')::timestamptz AS succeeded_at,
    coalesce(max(x.updated_at) FILTER (WHERE x.failure = ANY (@faults::text[])), '0001-01-01 00:00:00+00')::timestamptz AS failed_at,
    coalesce((array_agg(x.failure ORDER BY x.updated_at DESC) FILTER (WHERE x.failure = ANY (@faults::text[])))[1], '')::text AS reason,
    count(*) FILTER (WHERE x.status IN ('queued', 'job_dequeued'))::int AS waiting,
    count(*) FILTER (WHERE x.sent_at >= @since::timestamptz AND NOT x.uncertain)::int AS succeeded,
    count(*) FILTER (WHERE x.failure = ANY (@faults::text[]) AND x.updated_at >= @since::timestamptz)::int AS failed
FROM (SELECT n.sent_at, n.updated_at, n.uncertain, n.status,
        CASE WHEN n.uncertain THEN 'Uncertain' ELSE n.failure END AS failure FROM notifications n
    WHERE n.org_id = @org_id AND n.channel = @channel ORDER BY n.id DESC LIMIT 1000) x;

-- name: CarrierFares :one
-- How a carrier handles its offers, and when it last reported.
SELECT greatest(
        coalesce((SELECT u.received_at FROM external_updates u WHERE u.org_id = @org_id AND u.carrier = @carrier::text
            ORDER BY u.id DESC LIMIT 1), '0001-01-01 00:00:00+00'),
        coalesce(max(x.received_at) FILTER (WHERE x.status = 'EXPORTED'), '0001-01-01 00:00:00+00'))::timestamptz AS succeeded_at,
    coalesce(max(x.received_at) FILTER (WHERE x.status = 'FAILED'), '0001-01-01 00:00:00+00')::timestamptz AS failed_at,
    coalesce((array_agg(x.failure_reason ORDER BY x.received_at DESC) FILTER (WHERE x.status = 'FAILED'))[1], '')::text AS reason,
    (SELECT count(*) FROM (SELECT e.carrier FROM order_exports e WHERE e.org_id = @org_id AND e.state = 'pending'
        ORDER BY e.place LIMIT 10000) w WHERE w.carrier = @carrier::text)::int AS waiting,
    (count(*) FILTER (WHERE x.status = 'EXPORTED' AND x.received_at >= @since::timestamptz)
        + (SELECT count(*) FROM (SELECT u.received_at FROM external_updates u WHERE u.org_id = @org_id
            AND u.carrier = @carrier::text ORDER BY u.id DESC LIMIT 1000) r WHERE r.received_at >= @since::timestamptz))::int AS succeeded,
    count(*) FILTER (WHERE x.status = 'FAILED' AND x.received_at >= @since::timestamptz)::int AS failed
FROM (SELECT a.status, a.failure_reason, a.received_at, a.order_id FROM export_acknowledgements a
    WHERE a.org_id = @org_id ORDER BY a.id DESC LIMIT 1000) x
JOIN order_exports e ON e.org_id = @org_id AND e.order_id = x.order_id AND e.carrier = @carrier::text;

-- name: FilesFare :one
-- How many files were uploaded, and how many recently declared ones are missing.
SELECT coalesce(max(x.uploaded_at), '0001-01-01 00:00:00+00')::timestamptz AS succeeded_at,
    '0001-01-01 00:00:00+00'::timestamptz AS failed_at, ''::text AS reason,
    count(*) FILTER (WHERE x.uploaded_at IS NULL AND x.created_at >= @since::timestamptz)::int AS waiting,
    count(*) FILTER (WHERE x.uploaded_at >= @since::timestamptz)::int AS succeeded, 0::int AS failed
FROM (SELECT d.uploaded_at, d.created_at FROM documents d WHERE d.org_id = @org_id ORDER BY d.id DESC LIMIT 1000) x;

-- name: TravelFares :one
-- How many blocks of legs were found; failures are not recorded.
SELECT coalesce(max(x.found_at), '0001-01-01 00:00:00+00')::timestamptz AS succeeded_at,
    '0001-01-01 00:00:00+00'::timestamptz AS failed_at, ''::text AS reason, 0::int AS waiting,
    count(*) FILTER (WHERE x.found_at >= @since::timestamptz)::int AS succeeded, 0::int AS failed
FROM (SELECT l.found_at FROM travel_blocks l WHERE l.org_id = @org_id ORDER BY l.found_at DESC LIMIT 1000) x;

-- name: WebhookFares :one
-- The results of an endpoint's deliveries.
SELECT coalesce(max(x.at) FILTER (WHERE x.delivered), '0001-01-01 00:00:00+00')::timestamptz AS succeeded_at,
    coalesce(max(x.at) FILTER (WHERE NOT x.delivered), '0001-01-01 00:00:00+00')::timestamptz AS failed_at,
    coalesce((array_agg(trim(x.fault || ' ' || coalesce(x.status::text, '')) ORDER BY x.at DESC) FILTER (WHERE NOT x.delivered))[1],
        '')::text AS reason,
    (SELECT count(*) FROM (SELECT FROM webhook_deliveries d WHERE d.org_id = @org_id AND d.endpoint_id = @endpoint_id
        AND d.next_at IS NOT NULL LIMIT 10000) w)::int AS waiting,
    count(*) FILTER (WHERE x.delivered AND x.at >= @since::timestamptz)::int AS succeeded,
    count(*) FILTER (WHERE NOT x.delivered AND x.at >= @since::timestamptz)::int AS failed
FROM (SELECT a.at, a.delivered, a.fault, a.status FROM webhook_attempts a
    WHERE a.org_id = @org_id AND a.endpoint_id = @endpoint_id ORDER BY a.id DESC LIMIT 1000) x;

-- name: SignInFares :one
-- When a user was last linked to an account of an identity provider.
SELECT coalesce(max(x.created_at), '0001-01-01 00:00:00+00')::timestamptz AS succeeded_at,
    '0001-01-01 00:00:00+00'::timestamptz AS failed_at, ''::text AS reason, 0::int AS waiting,
    count(*) FILTER (WHERE x.created_at >= @since::timestamptz)::int AS succeeded, 0::int AS failed
FROM (SELECT i.created_at FROM identities i WHERE i.org_id = @org_id AND i.issuer = @issuer LIMIT 1000) x;
