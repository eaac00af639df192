-- name: DueNotifications :many
-- The messages that events are to make, of all organizations.
SELECT org_id::bigint AS org_id, event_id::bigint AS event_id, rule_id::bigint AS rule_id, receiver::int AS receiver,
    channel::text AS channel, event::text AS event, coalesce(order_id, 0)::bigint AS order_id
FROM due_notifications(@orgs::bigint[], @events::bigint[], @times::timestamptz[], @names::text[])
WHERE NOT is_suspended(org_id::bigint);

-- name: HandOverMessages :exec
-- Notes messages of all organizations before their workflows are started.
SELECT hand_over_messages(@orgs::bigint[], @events::bigint[], @rules::bigint[], @receivers::bigint[], @channels::text[],
    @orders::bigint[]);

-- name: ForgetHandover :exec
-- Deletes a handed-over message that is not needed.
DELETE FROM notification_handovers h
WHERE h.org_id = @org_id AND h.event_id = @event_id AND h.rule_id = @rule_id AND h.receiver = @receiver::bigint;

-- name: NotificationFacts :one
-- All values available in a message, and the latest try of the same key. A
-- message about one number of a shared order uses that number and its own
-- reference. A deleted rule, contact or customer leaves its columns empty. Each
-- row is looked up by its key: with a join, a planner without statistics of an
-- organization would read all of its orders, stops and customers for one message.
SELECT o.timezone, coalesce(f.language, o.language)::text AS language, coalesce(f.unwanted, false)::boolean AS unwanted, o.name AS organization, coalesce(m.email_from, '') AS email_from,
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
    coalesce(t.eta, '0001-01-01 00:00:00+00')::timestamptz AS eta, coalesce(t.under_way, false)::boolean AS under_way, coalesce(v.name, '')::text AS driver,
    coalesce((c.contact ->> 'id')::bigint, 0)::bigint AS contact_id,
    coalesce(c.contact ->> 'first_name', '')::text AS first_name,
    coalesce(c.contact ->> 'last_name', '')::text AS last_name,
    coalesce(c.contact ->> 'email_address', '')::text AS contact_email,
    coalesce(c.contact ->> 'phone_number', '')::text AS contact_phone, coalesce(p.id, 0)::bigint AS prior_id,
    r.series AS rule_series, coalesce((e.data -> 'series' ->> 'template')::bigint, 0)::bigint AS series_id,
    coalesce((e.data -> 'series' ->> 'orders')::bigint, 0)::bigint AS series_orders,
    coalesce(e.data -> 'series' ->> 'first', '')::text AS series_first,
    coalesce(e.data -> 'series' ->> 'last', '')::text AS series_last, coalesce(z.name, '')::text AS series_name,
    coalesce(p.try, 0)::smallint AS prior_try, coalesce(p.status, '') AS prior_status,
    coalesce(p.workflow_id, '') AS prior_workflow, coalesce(p.run_id, '') AS prior_run,
    coalesce(p.failure, '') AS prior_failure, coalesce(p.uncertain, false)::boolean AS prior_uncertain,
    p.send_window_from AS prior_window_from, p.send_window_to AS prior_window_to,
    coalesce(e.occurred_at, e.recorded_at)::timestamptz AS happened_at, coalesce(d.status_id, 0)::smallint AS status_id,
    (y.cancelled_at IS NOT NULL)::boolean AS number_cancelled,
    coalesce(g.pickup_status, 'pending')::text AS pickup_status,
    coalesce(g.delivery_status, 'pending')::text AS delivery_status,
    coalesce(k.latest, '0001-01-01 00:00:00+00')::timestamptz AS pickup_before,
    (coalesce(m.sendgrid_key, '') <> '' OR coalesce(m.postmark_login, '') <> '')::boolean AS reports_mail, o.sandbox,
    coalesce(b.release_minute, -1)::smallint AS release_minute, coalesce(b.release_days_before, 0)::smallint AS release_days_before,
    coalesce(b.released, false)::boolean AS released
FROM organizations o
JOIN notification_rules r ON r.org_id = o.id AND r.id = @rule_id
JOIN events e ON e.org_id = o.id AND e.id = @event_id
CROSS JOIN LATERAL (SELECT number_of_event(e.kind, e.external_id)::text AS number) a
LEFT JOIN LATERAL (SELECT x.own FROM erp_orders x WHERE x.org_id = o.id AND x.number = a.number OFFSET 0) w ON true
LEFT JOIN messaging_settings m ON m.org_id = o.id
LEFT JOIN LATERAL (
    SELECT x.name FROM recurring_orders x
    WHERE x.org_id = o.id AND x.id = (e.data -> 'series' ->> 'template')::bigint OFFSET 0
) z ON true
LEFT JOIN LATERAL (
    SELECT x.id, x.number, x.reference, x.date, x.customer_id, x.driver_id, x.status_id, x.department_id FROM orders x
    WHERE x.org_id = o.id AND x.id = e.order_id OFFSET 0
) d ON true
LEFT JOIN LATERAL (
    SELECT x.release_minute, x.release_days_before, EXISTS (SELECT FROM plans q WHERE q.org_id = x.org_id
        AND q.department_id = x.id AND q.day = d.date AND q.released_at IS NOT NULL) AS released
    FROM departments x WHERE x.org_id = o.id AND x.id = d.department_id AND x.release_minute IS NOT NULL OFFSET 0
) b ON true
LEFT JOIN LATERAL (
    SELECT x.language, x.unwanted FROM recipient_preferences x
    WHERE x.org_id = o.id AND x.order_id = d.id AND r.receiver = 'DELIVERY_CONTACTS' OFFSET 0
) f ON true
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
    SELECT coalesce(l.eta, x.eta) AS eta, l.eta IS NOT NULL AS under_way FROM plan_stops x
    LEFT JOIN live_etas l ON l.org_id = x.org_id AND l.order_id = x.order_id AND l.kind = x.kind AND l.driver_id = x.driver_id
    WHERE x.org_id = o.id AND x.order_id = d.id AND x.kind = s.kind OFFSET 0
) t ON true
LEFT JOIN LATERAL (
    SELECT x.name FROM drivers x WHERE x.org_id = o.id AND x.id = coalesce(e.driver_id, d.driver_id) OFFSET 0
) v ON true
LEFT JOIN LATERAL (
    SELECT x.cancelled_at FROM order_numbers x WHERE x.org_id = o.id AND x.number = a.number OFFSET 0
) y ON true
LEFT JOIN LATERAL (
    SELECT x.pickup_status, x.delivery_status FROM order_progress x WHERE x.org_id = o.id AND x.order_id = d.id OFFSET 0
) g ON true
LEFT JOIN LATERAL (
    SELECT x.latest FROM order_stops x WHERE x.org_id = o.id AND x.order_id = d.id AND x.kind = 'pickup' OFFSET 0
) k ON true
CROSS JOIN LATERAL (
    SELECT CASE WHEN r.receiver IN ('DELIVERY_CONTACTS', 'PICKUP_CONTACTS')
        THEN contact_of(o.id, d.id, a.number, s.kind, @receiver::int) END AS contact
    OFFSET 0 -- evaluated once, not for each column
) c
LEFT JOIN LATERAL (
    SELECT n.id, n.try, n.status, n.workflow_id, n.run_id, n.failure, n.uncertain, n.send_window_from, n.send_window_to
    FROM notifications n
    WHERE n.org_id = o.id AND n.key = @key ORDER BY n.try DESC LIMIT 1
) p ON true
WHERE o.id = @org_id;

-- name: InsertNotification :one
-- A new try of a message, queued, with its event and the first step. It replaces the
-- handover's note.
WITH taken AS (
    DELETE FROM notification_handovers h
    WHERE h.org_id = @org_id AND h.event_id = @event_id AND h.rule_id = @rule_id::bigint AND h.receiver = @receiver_at::bigint
), made AS (
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

-- name: MessageToSend :one
-- A message about to be sent: its content, the results of its attempts, the
-- time since the last one, whether a provider has reported its delivery, and
-- whether it must wait, for a limited time, for the message of an earlier event
-- of the same order to the same receiver. A message that was handed over and is
-- not in the log yet counts for every receiver.
SELECT n.channel, n.key, n.event, n.status, n.receiver, n.subject, n.body, n.body_html, n.track_trace_code, n.unanswered,
    n.send_window_to, is_suspended(n.org_id)::boolean AS is_suspended,
    coalesce(extract(epoch FROM now() - t.at), 1000000000)::float8 AS attempted_ago,
    EXISTS (SELECT FROM notification_steps s WHERE s.org_id = n.org_id AND s.notification_id = n.id
        AND s.kind = 'report' AND s.status IN ('delivered', 'bounced', 'spam'))::boolean AS reported,
    (n.created_at > now() - make_interval(secs => @patience::float8) AND (EXISTS (
        SELECT FROM notifications m
        WHERE m.org_id = n.org_id AND m.order_id = n.order_id AND m.channel = n.channel AND m.event_id < n.event_id
          AND lower(m.receiver) = lower(n.receiver) AND m.status IN ('queued', 'job_dequeued')
          AND coalesce(m.send_window_from, '-infinity') <= now()
    ) OR EXISTS (
        SELECT FROM notification_handovers h
        WHERE h.org_id = n.org_id AND h.order_id = n.order_id AND h.channel = n.channel AND h.event_id < n.event_id
          AND h.handed_at > now() - make_interval(secs => @patience::float8)
    )))::boolean AS is_behind
FROM notifications n
LEFT JOIN LATERAL (
    SELECT max(s.at) AS at FROM notification_steps s
    WHERE s.org_id = n.org_id AND s.notification_id = n.id AND s.kind = 'attempt'
) t ON true
WHERE n.org_id = @org_id AND n.id = @id;

-- name: CorrectMessage :exec
-- Updates the content and the receiver of a waiting message. With a new receiver no
-- attempt is in doubt.
UPDATE notifications n SET receiver = @receiver, subject = @subject, body = @body, body_html = @body_html,
    stop_id = nullif(@stop_id::bigint, 0), contact_id = nullif(@contact_id::bigint, 0), track_trace_code = @track_trace_code,
    unanswered = CASE WHEN lower(n.receiver) = lower(@receiver) THEN n.unanswered ELSE 0 END, updated_at = now()
WHERE n.org_id = @org_id AND n.id = @id AND n.status IN ('queued', 'job_dequeued');

-- name: BeginAttempt :many
-- Marks that a message is about to be sent, and returns what is needed for it.
-- Nothing is marked if the address is suppressed, the message is past sending,
-- or too many attempts ended without an answer.
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
    (n.attempts + 1)::int AS number, coalesce(n.order_id, 0)::bigint AS order_id, n.provider,
    EXISTS (SELECT FROM begun) AS begun, coalesce(n.failure, '') AS failure, o.slug,
    (o.sandbox AND (n.order_id IS NOT NULL OR n.event = 'ALERT_RAISED'))::boolean AS sandboxed,
    coalesce(m.email_name, '') AS email_name, coalesce(m.smtp_url, '') AS smtp_url,
    coalesce(m.sms_account, '') AS sms_account, coalesce(m.sms_token, '') AS sms_token
FROM asked a JOIN notifications n ON n.org_id = a.org_id AND n.id = a.id
JOIN organizations o ON o.id = n.org_id
LEFT JOIN messaging_settings m ON m.org_id = n.org_id;

-- name: SettleNotification :many
-- Changes the status of a message, with its event and a step, if it still has
-- one of the expected statuses. Reported selects whether reports came before it
-- was sent. A message that may have arrived, because an attempt has no answer,
-- counts as sent, with a flag, if that doubt outweighs the failure. A
-- superseded message has its own kind in the log, because nobody needs to act
-- on it.
WITH moved AS (
    UPDATE notifications n SET status = CASE WHEN x.doubted THEN 'sent' ELSE @status::text END, uncertain = x.doubted,
        failure = CASE WHEN x.doubted THEN NULL ELSE nullif(@failure::text, '') END,
        provider_id = coalesce(nullif(@provider_id::text, ''), n.provider_id),
        sent_at = CASE WHEN x.doubted OR @status = 'sent' THEN now() ELSE n.sent_at END,
        unanswered = CASE WHEN @status = 'sent' THEN 0 ELSE n.unanswered END, updated_at = now()
    FROM (SELECT m.org_id, m.id, m.unanswered > 0 AND @doubt_outweighs::boolean AS doubted
        FROM notifications m WHERE m.org_id = @org_id AND m.id = @id) x
    WHERE n.org_id = x.org_id AND n.id = x.id AND n.status = ANY (@before::text[])
    RETURNING n.org_id, n.id, n.order_id, n.status, n.failure, n.uncertain
), stepped AS (
    INSERT INTO notification_steps (org_id, notification_id, kind, status, code)
    SELECT org_id, id, status, status, CASE WHEN uncertain THEN 'Uncertain' ELSE coalesce(failure, '') END FROM moved
), told AS (
    INSERT INTO events (org_id, kind, subject_type, subject_id, order_id, notification_id)
    SELECT org_id, 'notification.' || CASE failure WHEN 'Superseded' THEN 'superseded' ELSE status END,
        CASE WHEN order_id IS NULL THEN 'notification' ELSE 'order' END, coalesce(order_id, id), order_id, id FROM moved
)
SELECT m.id, m.status, EXISTS (SELECT FROM notification_steps s
    WHERE s.org_id = m.org_id AND s.notification_id = m.id AND s.kind = 'report') AS reported
FROM moved m;

-- name: NoteFault :exec
-- Records the result of an attempt. answered is 1 if the message was certainly
-- not accepted. closes marks a receiver that does not exist and gets no more
-- messages. An attempt with the same answer as the one before, with none in
-- doubt, is counted with it: a server that is down for a day leaves one step,
-- not hundreds.
WITH answered AS (
    UPDATE notifications n SET unanswered = greatest(n.unanswered - @answered::smallint, 0), updated_at = now()
    WHERE n.org_id = @org_id AND n.id = @id AND n.status IN ('queued', 'job_dequeued')
    RETURNING n.org_id, n.id, n.status, n.channel, n.receiver, n.unanswered
), closed AS (
    INSERT INTO suppressions (org_id, channel, address, reason, notification_id)
    SELECT org_id, channel, lower(receiver), 'unknown', id FROM answered WHERE @closes::boolean
    ON CONFLICT DO NOTHING
), latest AS (
    SELECT a.org_id, s.id, s.kind, s.status = a.status AND s.code = @code AND s.answer = @answer AS is_same,
        row_number() OVER (ORDER BY s.id DESC) AS place
    FROM answered a JOIN LATERAL (
        SELECT x.id, x.kind, x.status, x.code, x.answer FROM notification_steps x
        WHERE x.org_id = a.org_id AND x.notification_id = a.id ORDER BY x.id DESC LIMIT 2
    ) s ON a.unanswered = 0
), repeated AS (
    SELECT f.org_id, f.id AS fault, t.id AS attempt FROM latest f JOIN latest t ON t.place = 1 AND t.kind = 'attempt'
    WHERE f.place = 2 AND f.kind = 'fault' AND f.is_same
), merged AS (
    DELETE FROM notification_steps s USING repeated r WHERE s.org_id = r.org_id AND s.id = r.attempt
), counted AS (
    UPDATE notification_steps s SET times = s.times + 1, last_at = now(), next_at = sqlc.narg('next_at')
    FROM repeated r WHERE s.org_id = r.org_id AND s.id = r.fault
)
INSERT INTO notification_steps (org_id, notification_id, kind, status, code, answer, next_at)
SELECT org_id, id, 'fault', status, @code, @answer, sqlc.narg('next_at') FROM answered
WHERE NOT EXISTS (SELECT FROM repeated);

-- name: NotificationForRetry :one
-- A message with the data needed for a retry.
SELECT n.id, n.channel, n.key, n.event, n.status, n.uncertain, n.run_id, coalesce(n.failure, '')::text AS failure,
    coalesce(n.order_id, 0)::bigint AS order_id,
    coalesce((SELECT e.external_id FROM events e WHERE e.org_id = n.org_id AND e.id = n.event_id), '')::text AS number,
    EXISTS (SELECT FROM notification_steps s WHERE s.org_id = n.org_id AND s.notification_id = n.id
        AND s.kind = 'report' AND s.status = 'delivered')::boolean AS received,
    (SELECT coalesce(max(l.try), 0) FROM notifications l WHERE l.org_id = n.org_id
        AND l.key = n.key)::smallint AS last_try,
    coalesce((SELECT r.id FROM notifications r WHERE r.org_id = n.org_id AND r.retry_of = n.id),
        0)::bigint AS retried_by,
    EXISTS (SELECT FROM events e WHERE e.org_id = n.org_id AND e.id = n.event_id)::boolean AS logged
FROM notifications n WHERE n.org_id = @org_id AND n.id = @id;

-- name: CountFailures :many
-- The number of failed messages that were not retried, by reason.
SELECT coalesce(n.failure, '')::text AS reason, count(*) AS messages FROM notifications n
WHERE n.org_id = @org_id AND n.status = 'failed' AND n.failure <> 'Superseded' AND n.created_at >= @since AND n.created_at < @until
  AND (@event::text = '' OR n.event = @event) AND (@channel::text = '' OR n.channel = @channel)
  AND (@failure::text = '' OR n.failure = @failure) AND (@provider::text = '' OR n.provider = @provider)
  AND NOT EXISTS (SELECT FROM notifications r WHERE r.org_id = n.org_id AND r.retry_of = n.id)
GROUP BY n.failure ORDER BY count(*) DESC, n.failure;

-- name: TallyMessage :one
-- Counts one more message of a day, in total and for its receiver, and returns the
-- new counts.
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

-- name: TallySeries :one
-- Counts one more message of a day from recurring orders for a receiver, and returns the new
-- count. The receiver's digest differs from the one for all messages.
INSERT INTO message_tallies AS t (org_id, day, channel, receiver, made)
VALUES (@org_id, @day, @channel, @receiver, 1)
ON CONFLICT (org_id, day, channel, receiver) DO UPDATE SET made = t.made + 1
RETURNING made;

-- name: KnowsEvent :one
SELECT EXISTS (SELECT FROM events e WHERE e.org_id = @org_id AND e.id = @id);
