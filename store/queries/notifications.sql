-- name: DueNotifications :many
-- The messages that events are to make, of all organizations.
SELECT org_id::bigint AS org_id, event_id::bigint AS event_id, rule_id::bigint AS rule_id, receiver::int AS receiver,
    channel::text AS channel, event::text AS event, coalesce(order_id, 0)::bigint AS order_id
FROM due_notifications(@orgs::bigint[], @events::bigint[], @times::timestamptz[], @names::text[]);

-- name: NotificationFacts :one
-- All that a message may speak of, and the latest try of the same key. What is
-- told of one number of a shared order names that number and its own reference. A
-- rule, contact or customer that is gone leaves its columns empty. Each row is
-- looked up by its key: joined, a planner without statistics of an organization
-- would read all of its orders, stops and customers for one message.
SELECT o.timezone, o.language, o.name AS organization, coalesce(m.email_from, '') AS email_from,
    coalesce(m.email_name, '') AS email_name, coalesce(m.sms_from, '') AS sms_from, coalesce(m.country, '') AS country,
    r.event, r.channel, r.receiver AS rule_receiver, r.address AS rule_address, r.subject, r.body, r.body_html,
    coalesce(r.window_from, -1)::smallint AS window_from, coalesce(r.window_to, -1)::smallint AS window_to,
    coalesce(d.id, 0)::bigint AS order_id, coalesce(a.number, d.number, '')::text AS number,
    coalesce(w.own -> 'Header' ->> 'Reference', d.reference, '')::text AS reference,
    coalesce(d.date::text, '')::text AS date,
    coalesce(u.business_name, '') AS customer, coalesce(u.email_address, '') AS customer_email,
    coalesce(u.phone_number, '') AS customer_phone,
    coalesce(s.id, 0)::bigint AS stop_id, coalesce(s.kind, '')::text AS stop_kind, coalesce(s.name, '') AS stop_name, coalesce(s.address1, '') AS address1,
    coalesce(s.postal_code, '') AS postal_code, coalesce(s.city, '') AS city, coalesce(s.country, '') AS stop_country,
    coalesce(s.earliest, '0001-01-01 00:00:00+00')::timestamptz AS earliest,
    coalesce(s.latest, '0001-01-01 00:00:00+00')::timestamptz AS latest,
    coalesce(t.eta, '0001-01-01 00:00:00+00')::timestamptz AS eta, coalesce(v.name, '')::text AS driver,
    coalesce((c.contact ->> 'id')::bigint, 0)::bigint AS contact_id,
    coalesce(c.contact ->> 'first_name', '')::text AS first_name,
    coalesce(c.contact ->> 'last_name', '')::text AS last_name,
    coalesce(c.contact ->> 'email_address', '')::text AS contact_email,
    coalesce(c.contact ->> 'phone_number', '')::text AS contact_phone, coalesce(p.id, 0)::bigint AS prior_id,
    coalesce(p.try, 0)::smallint AS prior_try, coalesce(p.status, '') AS prior_status,
    coalesce(p.workflow_id, '') AS prior_workflow, coalesce(p.run_id, '') AS prior_run,
    coalesce(p.failure, '') AS prior_failure, p.send_window_from AS prior_window_from,
    p.send_window_to AS prior_window_to
FROM organizations o
JOIN notification_rules r ON r.org_id = o.id AND r.id = @rule_id
JOIN events e ON e.org_id = o.id AND e.id = @event_id
CROSS JOIN LATERAL (SELECT number_of_event(e.kind, e.external_id)::text AS number) a
LEFT JOIN LATERAL (SELECT x.own FROM erp_orders x WHERE x.org_id = o.id AND x.number = a.number OFFSET 0) w ON true
LEFT JOIN messaging_settings m ON m.org_id = o.id
LEFT JOIN LATERAL (
    SELECT x.id, x.number, x.reference, x.date, x.customer_id, x.driver_id FROM orders x
    WHERE x.org_id = o.id AND x.id = e.order_id OFFSET 0
) d ON true
LEFT JOIN LATERAL (
    SELECT x.business_name, x.email_address, x.phone_number FROM customers x
    WHERE x.org_id = o.id AND x.id = d.customer_id OFFSET 0
) u ON true
LEFT JOIN LATERAL (
    SELECT x.id, x.kind, x.name, x.address1, x.postal_code, x.city, x.country, x.earliest, x.latest FROM order_stops x
    WHERE x.org_id = o.id AND x.order_id = d.id
      AND x.kind = CASE r.receiver WHEN 'DELIVERY_CONTACTS' THEN 'delivery' WHEN 'PICKUP_CONTACTS' THEN 'pickup'
        ELSE coalesce(e.stop, 'delivery') END
    OFFSET 0
) s ON true
LEFT JOIN LATERAL (
    SELECT coalesce(l.eta, x.eta) AS eta FROM plan_stops x
    LEFT JOIN live_etas l ON l.org_id = x.org_id AND l.order_id = x.order_id AND l.kind = x.kind AND l.driver_id = x.driver_id
    WHERE x.org_id = o.id AND x.order_id = d.id AND x.kind = s.kind OFFSET 0
) t ON true
LEFT JOIN LATERAL (
    SELECT x.name FROM drivers x WHERE x.org_id = o.id AND x.id = coalesce(e.driver_id, d.driver_id) OFFSET 0
) v ON true
CROSS JOIN LATERAL (
    SELECT CASE WHEN r.receiver IN ('DELIVERY_CONTACTS', 'PICKUP_CONTACTS')
        THEN contact_of(o.id, d.id, a.number, s.kind, @receiver::int) END AS contact
    OFFSET 0 -- asked once, and not anew for each column
) c
LEFT JOIN LATERAL (
    SELECT n.id, n.try, n.status, n.workflow_id, n.run_id, n.failure, n.send_window_from, n.send_window_to
    FROM notifications n
    WHERE n.org_id = o.id AND n.key = @key ORDER BY n.try DESC LIMIT 1
) p ON true
WHERE o.id = @org_id;

-- name: InsertNotification :one
-- A new try of a message, queued, with its event and the first step.
WITH made AS (
    INSERT INTO notifications (org_id, channel, key, try, retry_of, workflow_id, run_id, event, event_id, rule_id,
        order_id, stop_id, contact_id, receiver, sender, subject, body, body_html, provider, status, send_window_from,
        send_window_to, track_trace_code)
    VALUES (@org_id, @channel, @key, @try, nullif(@retry_of::bigint, 0), @workflow_id, @run_id, @event, @event_id,
        nullif(@rule_id::bigint, 0), nullif(@order_id::bigint, 0), nullif(@stop_id::bigint, 0), nullif(@contact_id::bigint, 0), @receiver,
        @sender, @subject, @body, @body_html, @provider, 'queued', @send_window_from, @send_window_to, @track_trace_code)
    RETURNING org_id, id, order_id
), stepped AS (
    INSERT INTO notification_steps (org_id, notification_id, kind, status)
    SELECT org_id, id, 'queued', 'queued' FROM made
), told AS (
    INSERT INTO events (org_id, kind, subject_type, subject_id, order_id, notification_id)
    SELECT org_id, 'notification.queued', CASE WHEN order_id IS NULL THEN 'notification' ELSE 'order' END,
        coalesce(order_id, id), order_id, id FROM made
)
SELECT id FROM made;

-- name: AdoptNotification :exec
-- Hands a message that is under way over to another run of its workflow.
UPDATE notifications SET run_id = @run_id, updated_at = now() WHERE org_id = @org_id AND id = @id;

-- name: BeginAttempt :many
-- Marks that a message is about to be handed to its provider, and returns
-- what is needed for it. Nothing is marked when the address is suppressed, the
-- message is past sending, or too many attempts ended without an answer.
WITH asked AS (
    SELECT n.org_id, n.id, n.channel, n.status, n.unanswered, n.order_id, EXISTS (
            SELECT FROM suppressions x WHERE x.org_id = n.org_id AND x.channel = n.channel
                AND x.address = lower(n.receiver)
        ) AS suppressed
    FROM notifications n WHERE n.org_id = @org_id AND n.id = @id
    FOR UPDATE OF n
), begun AS (
    UPDATE notifications n SET attempts = n.attempts + 1, unanswered = n.unanswered + 1,
        status = CASE WHEN n.channel = 'SMS' THEN 'job_dequeued' ELSE n.status END,
        dequeued_at = CASE WHEN n.channel = 'SMS' THEN coalesce(n.dequeued_at, now()) END, updated_at = now()
    FROM asked a
    WHERE n.org_id = a.org_id AND n.id = a.id AND NOT a.suppressed AND a.status IN ('queued', 'job_dequeued')
      AND a.unanswered < @most_unanswered::smallint
    RETURNING n.org_id, n.id, n.order_id, n.status, a.status AS before
), stepped AS (
    INSERT INTO notification_steps (org_id, notification_id, kind, status)
    SELECT org_id, id, 'attempt', status FROM begun
), told AS (
    INSERT INTO events (org_id, kind, subject_type, subject_id, order_id, notification_id)
    SELECT org_id, 'notification.dequeued', CASE WHEN order_id IS NULL THEN 'notification' ELSE 'order' END,
        coalesce(order_id, id), order_id, id FROM begun WHERE status <> before
)
SELECT n.channel, n.key, n.receiver, n.sender, n.subject, n.body, n.body_html, a.status AS before, a.suppressed, a.unanswered,
    EXISTS (SELECT FROM begun) AS begun, coalesce(n.failure, '') AS failure, o.slug,
    (o.sandbox AND n.order_id IS NOT NULL)::boolean AS sandboxed,
    coalesce(m.email_name, '') AS email_name, coalesce(m.smtp_url, '') AS smtp_url,
    coalesce(m.sms_account, '') AS sms_account, coalesce(m.sms_token, '') AS sms_token
FROM asked a JOIN notifications n ON n.org_id = a.org_id AND n.id = a.id
JOIN organizations o ON o.id = n.org_id
LEFT JOIN messaging_settings m ON m.org_id = n.org_id;

-- name: SettleNotification :many
-- Moves a message on, with its event and a step, when it still has one of the
-- statuses from which it may. Reported says whether reports came before it was sent.
-- Another failure may be the one of a message of which an attempt has no answer.
WITH moved AS (
    UPDATE notifications n SET status = @status::text,
        failure = nullif(CASE WHEN n.unanswered > 0 THEN @unanswered_failure::text ELSE @failure::text END, ''),
        provider_id = coalesce(nullif(@provider_id::text, ''), n.provider_id),
        sent_at = CASE WHEN @status = 'sent' THEN now() ELSE n.sent_at END,
        unanswered = CASE WHEN @status = 'sent' THEN 0 ELSE n.unanswered END, updated_at = now()
    WHERE n.org_id = @org_id AND n.id = @id AND n.status = ANY (@before::text[])
    RETURNING n.org_id, n.id, n.order_id, n.failure
), stepped AS (
    INSERT INTO notification_steps (org_id, notification_id, kind, status, code)
    SELECT org_id, id, @status, @status, coalesce(failure, '') FROM moved
), told AS (
    INSERT INTO events (org_id, kind, subject_type, subject_id, order_id, notification_id)
    SELECT org_id, 'notification.' || @status, CASE WHEN order_id IS NULL THEN 'notification' ELSE 'order' END,
        coalesce(order_id, id), order_id, id FROM moved
)
SELECT m.id, EXISTS (SELECT FROM notification_steps s
    WHERE s.org_id = m.org_id AND s.notification_id = m.id AND s.kind = 'report') AS reported
FROM moved m;

-- name: NoteFault :exec
-- Keeps what came of an attempt; answered is 1 when it is known not to have
-- been taken.
WITH answered AS (
    UPDATE notifications n SET unanswered = greatest(n.unanswered - @answered::smallint, 0), updated_at = now()
    WHERE n.org_id = @org_id AND n.id = @id AND n.status IN ('queued', 'job_dequeued')
    RETURNING n.org_id, n.id, n.status
)
INSERT INTO notification_steps (org_id, notification_id, kind, status, code, answer)
SELECT org_id, id, 'fault', status, @code, @answer FROM answered;

-- name: NotificationForRetry :one
-- A message with what a retry of it needs to know.
SELECT n.id, n.channel, n.key, n.event, n.status, n.run_id, coalesce(n.failure, '')::text AS failure,
    coalesce(n.order_id, 0)::bigint AS order_id,
    (SELECT coalesce(max(l.try), 0) FROM notifications l WHERE l.org_id = n.org_id
        AND l.key = n.key)::smallint AS last_try,
    coalesce((SELECT r.id FROM notifications r WHERE r.org_id = n.org_id AND r.retry_of = n.id),
        0)::bigint AS retried_by,
    EXISTS (SELECT FROM events e WHERE e.org_id = n.org_id AND e.id = n.event_id)::boolean AS logged
FROM notifications n WHERE n.org_id = @org_id AND n.id = @id;

-- name: FailedNotifications :many
-- Failed messages that were not retried, oldest first, behind an id.
SELECT n.id FROM notifications n
WHERE n.org_id = @org_id AND n.status = 'failed' AND n.created_at >= @since
  AND (@event::text = '' OR n.event = @event) AND n.id > @after
  AND NOT EXISTS (SELECT FROM notifications r WHERE r.org_id = n.org_id AND r.retry_of = n.id)
ORDER BY n.id LIMIT @page_size::int;

-- name: TallyMessage :one
-- Counts one more message of a day, altogether and for its receiver, and tells how
-- many there are now.
WITH together AS (
    INSERT INTO message_tallies AS t (org_id, day, channel, receiver, made)
    VALUES (@org_id, @day, @channel, ''::bytea, 1)
    ON CONFLICT (org_id, day, channel, receiver) DO UPDATE SET made = t.made + 1
    RETURNING made
), received AS (
    INSERT INTO message_tallies AS t (org_id, day, channel, receiver, made)
    VALUES (@org_id, @day, @channel, @receiver, 1)
    ON CONFLICT (org_id, day, channel, receiver) DO UPDATE SET made = t.made + 1
    RETURNING made
)
SELECT together.made AS together, received.made AS received FROM together CROSS JOIN received;
