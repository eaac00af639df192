-- Alerts, and the rules by which they are raised.

-- name: AlertRules :many
-- The rules of an organization, or one of them.
SELECT r.id, coalesce(r.department_id, 0)::bigint AS department_id, d.name AS department, r.kind,
    coalesce(r.minutes, 0)::bigint AS minutes, coalesce(r.exception_kind, '')::text AS exception_kind, r.channels, r.emails,
    r.created_at, r.updated_at
FROM alert_rules r LEFT JOIN departments d ON d.org_id = r.org_id AND d.id = r.department_id
WHERE r.org_id = @org_id AND r.is_active AND (sqlc.narg('id')::bigint IS NULL OR r.id = sqlc.narg('id')::bigint)
ORDER BY r.id;

-- name: LockAlertRules :exec
-- Lets changes of an organization's rules follow each other.
SELECT pg_advisory_xact_lock(hashtextextended(concat_ws('/', 'waybill.alert_rules', @org_id::bigint), 0));

-- name: CountAlertRules :one
SELECT count(*) FROM alert_rules WHERE org_id = @org_id AND is_active;

-- name: HasDepartment :one
SELECT EXISTS (SELECT FROM departments WHERE org_id = @org_id AND id = @id AND is_active)::boolean AS has;

-- name: AddAlertRule :one
INSERT INTO alert_rules (org_id, department_id, kind, minutes, exception_kind, channels, emails)
VALUES (@org_id, nullif(@department_id::bigint, 0), @kind, nullif(@minutes::bigint, 0), nullif(@exception_kind::text, ''),
    @channels::text[], @emails::text[])
RETURNING id;

-- name: PutAlertRule :execrows
UPDATE alert_rules SET department_id = nullif(@department_id::bigint, 0), kind = @kind, minutes = nullif(@minutes::bigint, 0),
    exception_kind = nullif(@exception_kind::text, ''), channels = @channels::text[], emails = @emails::text[], updated_at = now()
WHERE org_id = @org_id AND id = @id AND is_active;

-- name: DropAlertRule :execrows
UPDATE alert_rules SET is_active = false, emails = '{}', channels = array_remove(channels, 'EMAIL'), updated_at = now()
WHERE org_id = @org_id AND id = @id AND is_active;

-- name: AlertRulesOfDriver :many
-- The rules with thresholds for drivers of the driver's department.
SELECT r.id, r.kind, coalesce(r.minutes, 0)::bigint AS minutes
FROM drivers d JOIN alert_rules r ON r.org_id = d.org_id
WHERE d.org_id = @org_id AND d.id = @driver_id AND r.is_active AND r.kind IN ('LATE_BY', 'SILENT_FOR')
  AND (r.department_id IS NULL OR r.department_id = d.department_id)
ORDER BY r.id;

-- name: AlertsOfDriveDay :many
-- The alerts of a driver's day that were raised by rules with thresholds and last.
SELECT a.id, a.rule_id, coalesce(a.order_id, 0)::bigint AS order_id, coalesce(a.stop, '')::text AS stop
FROM alerts a
WHERE a.org_id = @org_id AND a.day = @day::date AND a.driver_id = @driver_id::bigint AND a.kind IN ('LATE_BY', 'SILENT_FOR')
  AND a.resolved_at IS NULL
ORDER BY a.id;

-- name: LockAlerts :exec
-- Lets the transactions that raise alerts of an organization follow each other: they share a bound of emails.
SELECT pg_advisory_xact_lock(hashtextextended(concat_ws('/', 'waybill.alerts', @org_id::bigint), 0));

-- name: RaiseAlertsOfDay :exec
-- Raises alerts of a driver's day by rules with thresholds, with their events. Those that last are not raised again.
SELECT raise_alerts(@org_id::bigint, @rule_ids::bigint[], array_fill(d.id, ARRAY[cardinality(@rule_ids::bigint[])]), @order_ids::bigint[],
    @stops::text[], array_fill(0::bigint, ARRAY[cardinality(@rule_ids::bigint[])]), @minutes::bigint[], @ats::timestamptz[],
    array_fill(@day::date, ARRAY[cardinality(@rule_ids::bigint[])]), @most_emails::bigint)
FROM drivers d WHERE d.org_id = @org_id AND d.id = @driver_id;

-- name: RaiseAlertsOfCauses :exec
-- Raises alerts of orders that failed or have no driver, and of the exceptions of days, with their events. Those that last
-- are not raised again.
WITH causes AS (
    SELECT 'FAILED' AS kind, coalesce(o.driver_id, 0) AS driver_id, o.department_id, o.id AS order_id, '' AS stop, 0::bigint AS exception_id,
        NULL::text AS exception_kind, coalesce(g.delivery_ended_at, g.pickup_ended_at, now()) AS at, o.date AS day
    FROM orders o LEFT JOIN order_progress g ON g.org_id = o.org_id AND g.order_id = o.id
    WHERE o.org_id = @org_id AND o.id = ANY (@order_ids::bigint[]) AND o.status_id = 7 AND o.date >= @first_day::date
    UNION ALL
    SELECT 'UNPLANNED', 0, o.department_id, o.id, '', 0, NULL, u.since, o.date
    FROM orders o JOIN plan_unplanned u ON u.org_id = o.org_id AND u.order_id = o.id
    WHERE o.org_id = @org_id AND o.id = ANY (@order_ids::bigint[]) AND o.status_id = 1 AND o.date >= @first_day::date
    UNION ALL
    SELECT 'EXCEPTION', x.driver_id, d.department_id, coalesce(x.order_id, 0), coalesce(x.stop, ''), x.id, x.kind, x.at, x.day
    FROM exceptions x JOIN drivers d ON d.org_id = x.org_id AND d.id = x.driver_id
    WHERE x.org_id = @org_id AND x.day = ANY (@days::date[]) AND x.resolved_at IS NULL AND x.day >= @first_day::date
), found AS (
    SELECT c.*, r.id AS rule_id, row_number() OVER (ORDER BY c.at, c.order_id, c.exception_id, r.id) AS place
    FROM causes c JOIN alert_rules r ON r.org_id = @org_id AND r.kind = c.kind AND r.is_active
        AND (r.department_id IS NULL OR r.department_id = c.department_id)
        AND r.exception_kind IS NOT DISTINCT FROM c.exception_kind
)
SELECT raise_alerts(@org_id::bigint, array_agg(f.rule_id ORDER BY f.place), array_agg(f.driver_id ORDER BY f.place),
    array_agg(f.order_id ORDER BY f.place), array_agg(f.stop ORDER BY f.place), array_agg(f.exception_id ORDER BY f.place),
    array_agg(0::bigint ORDER BY f.place), array_agg(f.at ORDER BY f.place), array_agg(f.day ORDER BY f.place), @most_emails::bigint)
FROM found f;

-- name: WantsAlerts :one
-- Whether orders or days may raise or resolve alerts, without which no transaction needs to begin.
SELECT (EXISTS (SELECT FROM alert_rules r WHERE r.org_id = @org_id AND r.is_active AND r.kind NOT IN ('LATE_BY', 'SILENT_FOR'))
    OR EXISTS (SELECT FROM alerts a WHERE a.org_id = @org_id AND a.resolved_at IS NULL
        AND (a.order_id = ANY (@order_ids::bigint[]) OR a.day = ANY (@days::date[]))))::boolean AS wants;

-- name: AlertsWithoutCause :many
-- The alerts of orders and days whose cause is gone.
SELECT a.id FROM alerts a
WHERE a.org_id = @org_id AND a.resolved_at IS NULL
  AND (a.kind IN ('FAILED', 'UNPLANNED') AND a.order_id = ANY (@order_ids::bigint[]) OR a.kind = 'EXCEPTION' AND a.day = ANY (@days::date[]))
  AND NOT CASE a.kind
    WHEN 'FAILED' THEN EXISTS (SELECT FROM orders o WHERE o.org_id = a.org_id AND o.id = a.order_id AND o.status_id = 7)
    WHEN 'UNPLANNED' THEN EXISTS (SELECT FROM plan_unplanned u JOIN orders o ON o.org_id = u.org_id AND o.id = u.order_id
        WHERE u.org_id = a.org_id AND u.order_id = a.order_id AND o.status_id = 1 AND o.date = a.day)
    ELSE EXISTS (SELECT FROM exceptions x WHERE x.org_id = a.org_id AND x.id = a.exception_id AND x.resolved_at IS NULL) END
ORDER BY a.id;

-- name: AlertsOfRule :many
-- The alerts of a rule that last.
SELECT a.id FROM alerts a WHERE a.org_id = @org_id AND a.rule_id = @rule_id AND a.resolved_at IS NULL ORDER BY a.id;

-- name: ResolveAlerts :exec
-- Resolves alerts that last, with their events.
WITH over AS (
    UPDATE alerts a SET resolved_at = now()
    WHERE a.org_id = @org_id AND a.id = ANY (@ids::bigint[]) AND a.resolved_at IS NULL
    RETURNING a.id, a.rule_id, a.kind, a.day, a.driver_id, a.order_id, a.stop
)
INSERT INTO events (org_id, kind, subject_type, subject_id, order_id, external_id, driver_id, stop, data)
SELECT @org_id, 'alert.resolved', CASE WHEN order_id IS NULL THEN 'driver' ELSE 'order' END, coalesce(order_id, driver_id),
    order_id, day::text, driver_id, stop, jsonb_build_object('alert', id, 'rule', rule_id, 'kind', kind)
FROM over ORDER BY id;

-- name: LockAlert :one
-- An alert, locked for a change of its state.
SELECT a.id, (a.resolved_at IS NOT NULL)::boolean AS resolved, (a.acknowledged_at IS NOT NULL)::boolean AS acknowledged
FROM alerts a WHERE a.org_id = @org_id AND a.id = @id FOR NO KEY UPDATE;

-- name: HandleAlert :exec
-- Acknowledges an alert, or snoozes it until a time, with its event.
WITH handled AS (
    UPDATE alerts a SET snoozed_until = sqlc.narg('snoozed_until')::timestamptz,
        acknowledged_at = CASE WHEN sqlc.narg('snoozed_until')::timestamptz IS NULL THEN now() END,
        handled_by = current_setting('app.actor', true), note = nullif(@note::text, '')
    WHERE a.org_id = @org_id AND a.id = @id
    RETURNING a.id, a.rule_id, a.kind, a.day, a.driver_id, a.order_id, a.stop, a.snoozed_until
)
INSERT INTO events (org_id, kind, subject_type, subject_id, order_id, external_id, driver_id, stop, data)
SELECT @org_id, CASE WHEN snoozed_until IS NULL THEN 'alert.acknowledged' ELSE 'alert.snoozed' END,
    CASE WHEN order_id IS NULL THEN 'driver' ELSE 'order' END, coalesce(order_id, driver_id), order_id, day::text, driver_id, stop,
    jsonb_build_object('alert', id, 'rule', rule_id, 'kind', kind)
FROM handled;

-- name: PageAlertIDs :many
-- A page of alerts before one, newest first.
SELECT a.id FROM alerts a
WHERE a.org_id = @org_id AND a.id < @before
  AND (sqlc.narg('day')::date IS NULL OR a.day = sqlc.narg('day')::date)
  AND (sqlc.narg('state')::text IS NULL OR sqlc.narg('state')::text = CASE WHEN a.resolved_at IS NOT NULL THEN 'RESOLVED'
    WHEN a.acknowledged_at IS NOT NULL THEN 'ACKNOWLEDGED' WHEN a.snoozed_until > @now::timestamptz THEN 'SNOOZED' ELSE 'OPEN' END)
ORDER BY a.id DESC
LIMIT @page_size::int;

-- name: Alerts :many
-- Alerts with their subjects, newest first.
SELECT a.id, a.rule_id, a.kind, a.channels, a.day, a.driver_id, coalesce(d.name, '')::text AS driver_name, a.order_id, o.number, a.stop,
    coalesce(x.kind, '')::text AS exception_kind, coalesce(x.rule, '')::text AS exception_rule,
    coalesce(a.minutes, 0)::bigint AS minutes, a.at, a.raised_at, a.snoozed_until, a.acknowledged_at, a.handled_by,
    coalesce(name_of_actor(a.org_id, a.handled_by), '')::text AS handled_by_name, a.note, a.resolved_at
FROM alerts a
LEFT JOIN drivers d ON d.org_id = a.org_id AND d.id = a.driver_id
LEFT JOIN orders o ON o.org_id = a.org_id AND o.id = a.order_id
LEFT JOIN exceptions x ON x.org_id = a.org_id AND x.id = a.exception_id
WHERE a.org_id = @org_id AND a.id = ANY (@ids::bigint[])
ORDER BY a.id DESC;

-- name: AlertFacts :one
-- All that a message about an alert may speak of, and the latest try of it.
SELECT o.name AS organization, o.slug, o.language, o.timezone, o.sandbox, a.kind, a.day, a.at, coalesce(a.minutes, 0)::bigint AS minutes,
    coalesce(d.name, '')::text AS driver, coalesce(r.number, '')::text AS number, coalesce(x.kind, '')::text AS exception_kind,
    coalesce(a.emails[@receiver::int], '')::text AS address, coalesce(m.email_from, '') AS email_from,
    coalesce(p.id, 0)::bigint AS prior_id, coalesce(p.try, 0)::smallint AS prior_try, coalesce(p.status, '') AS prior_status,
    coalesce(p.workflow_id, '') AS prior_workflow, coalesce(p.run_id, '') AS prior_run,
    coalesce(p.failure, '') AS prior_failure, coalesce(p.uncertain, false)::boolean AS prior_uncertain,
    (coalesce(m.sendgrid_key, '') <> '' OR coalesce(m.postmark_login, '') <> '')::boolean AS reports_mail
FROM events e
JOIN organizations o ON o.id = e.org_id
JOIN alerts a ON a.org_id = e.org_id AND a.id = (e.data ->> 'alert')::bigint
LEFT JOIN drivers d ON d.org_id = a.org_id AND d.id = a.driver_id
LEFT JOIN orders r ON r.org_id = a.org_id AND r.id = a.order_id
LEFT JOIN exceptions x ON x.org_id = a.org_id AND x.id = a.exception_id
LEFT JOIN messaging_settings m ON m.org_id = o.id
LEFT JOIN LATERAL (
    SELECT n.id, n.try, n.status, n.workflow_id, n.run_id, n.failure, n.uncertain FROM notifications n
    WHERE n.org_id = o.id AND n.key = @key ORDER BY n.try DESC LIMIT 1
) p ON true
WHERE e.org_id = @org_id AND e.id = @event_id AND e.kind = 'alert.raised';
