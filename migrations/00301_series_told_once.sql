-- +goose Up
-- What rules say of orders that a template generates: ONCE is one message for the series,
-- EACH one for every order. days_ahead is when a reminder comes before the order's day.
ALTER TABLE notification_rules
    ADD COLUMN series text NOT NULL DEFAULT 'ONCE'
        CONSTRAINT notification_rules_series_check CHECK (series IN ('ONCE', 'EACH', 'NEVER')),
    -- squawk-ignore prefer-bigint-over-smallint
    ADD COLUMN days_ahead smallint
        CONSTRAINT notification_rules_days_ahead_check CHECK (days_ahead BETWEEN 1 AND 30);

-- The version of the template that was announced last. Receivers know the series that are
-- there already.
ALTER TABLE recurring_orders ADD COLUMN announced bigint NOT NULL DEFAULT 0;
UPDATE recurring_orders SET announced = version WHERE generated_count > 0;

CREATE OR REPLACE VIEW recurring_order_details WITH (security_invoker = true) AS
SELECT r.org_id, r.id, r.name, r.customer_id, r.order_type_id, r.vehicle_type_id, r.pickup_location_id, r.delivery_location_id,
    r.order_template, r.rruleset, r.start_date, r.end_date, r.days_to_generate_ahead, r.is_active, r.is_paused, r.version,
    r.applied_from, r.generated_count, r.generated_through, r.last_generated_at, r.next_run_at, r.last_error, r.created_at,
    r.updated_at, o.timezone, location_place(p) AS pickup_place, location_place(d) AS delivery_place,
    (SELECT count(*) FROM recurring_occurrences c JOIN drafts x ON x.org_id = c.org_id AND x.external_id = c.number
     WHERE c.org_id = r.org_id AND c.recurring_order_id = r.id AND x.state = 'incomplete') AS draft_count,
    r.applied_to, r.announced
FROM recurring_orders r
JOIN organizations o ON o.id = r.org_id
JOIN locations p ON p.org_id = r.org_id AND p.id = r.pickup_location_id
JOIN locations d ON d.org_id = r.org_id AND d.id = r.delivery_location_id;

-- Which orders were reminded of, how many days ahead and of which day. An order that moves
-- to another day is reminded of again.
CREATE TABLE order_reminders (
    org_id      bigint NOT NULL REFERENCES organizations (id),
    order_id    bigint NOT NULL,
    -- squawk-ignore prefer-bigint-over-smallint
    days_ahead  smallint NOT NULL,
    date        date NOT NULL,
    reminded_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT order_reminders_pkey PRIMARY KEY (org_id, order_id, days_ahead, date),
    CONSTRAINT order_reminders_order_fkey FOREIGN KEY (org_id, order_id) REFERENCES orders (org_id, id)
);
SELECT guard_tenant('order_reminders');

-- +goose StatementBegin
-- The organizations whose rules make reminders and where it is nine in the morning or later,
-- with the day that it is there.
CREATE FUNCTION reminding_organizations(at timestamptz)
    RETURNS TABLE (id bigint, today date)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp
AS $$
    SELECT o.id, (reminding_organizations.at AT TIME ZONE o.timezone)::date FROM organizations o
    WHERE o.closed_at IS NULL AND extract(hour FROM reminding_organizations.at AT TIME ZONE o.timezone) >= 9
      AND EXISTS (SELECT FROM notification_rules r WHERE r.org_id = o.id AND r.event = 'ORDER_REMINDER' AND r.is_active)
    ORDER BY o.id
$$;
-- +goose StatementEnd
REVOKE EXECUTE ON FUNCTION reminding_organizations(timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION reminding_organizations(timestamptz) TO waybill_app;

-- As in 00114_rules_kept.sql, with series and reminders.
CREATE OR REPLACE VIEW v1_notification_rules WITH (security_invoker = true) AS
SELECT org_id, id, 0 AS place, is_active, jsonb_build_object(
    'id', id, 'event', event, 'channel', channel, 'receiver', receiver, 'address', nullif(address, ''),
    'subject', nullif(subject, ''), 'body', nullif(body, ''), 'body_html', nullif(body_html, ''),
    'send_from', to_char(make_interval(mins => window_from), 'HH24:MI'),
    'send_until', to_char(make_interval(mins => window_to), 'HH24:MI'),
    'series', series, 'days_ahead', days_ahead,
    'is_active', is_active, 'source', source) AS document
FROM notification_rules;

-- +goose StatementBegin
-- As in 00180_log_by_time_of_writing.sql. Orders of a template make messages as the rule
-- says, and a reminder is for the rules of its days.
CREATE OR REPLACE FUNCTION due_notifications(orgs bigint[], events bigint[], times timestamptz[], names text[])
RETURNS TABLE (org_id bigint, event_id bigint, rule_id bigint, receiver integer, channel text, event text, order_id bigint)
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp SET jit = off
AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    SELECT e.org_id, e.id, r.id, x.ordinal, r.channel, r.event, e.order_id
    FROM unnest(due_notifications.orgs, due_notifications.events, due_notifications.times, due_notifications.names) AS w (org_id, id, at, name)
    JOIN events e ON e.org_id = w.org_id AND e.id = w.id AND e.recorded_at = w.at
    JOIN notification_rules r ON r.org_id = e.org_id AND r.event = w.name AND r.is_active
    CROSS JOIN LATERAL (
        SELECT min(c.seq)::int AS ordinal
        FROM (VALUES (CASE r.receiver WHEN 'DELIVERY_CONTACTS' THEN 'delivery' WHEN 'PICKUP_CONTACTS' THEN 'pickup' END)) AS s (kind)
        CROSS JOIN LATERAL contacts_of(e.org_id, e.order_id, number_of_event(e.kind, e.external_id), s.kind) c
        WHERE (e.stop IS NULL OR e.stop = s.kind)
          AND CASE r.channel WHEN 'EMAIL' THEN c.email_address ELSE c.phone_number END <> ''
        GROUP BY lower(CASE r.channel WHEN 'EMAIL' THEN c.email_address ELSE c.phone_number END)
        UNION ALL
        SELECT 0 FROM orders o JOIN customers u ON u.org_id = o.org_id AND u.id = o.customer_id
        WHERE o.org_id = e.org_id AND o.id = e.order_id AND r.receiver = 'CUSTOMER'
          AND CASE r.channel WHEN 'EMAIL' THEN u.email_address ELSE u.phone_number END <> ''
        UNION ALL
        SELECT 0 WHERE r.receiver = 'ADDRESS'
    ) x
    WHERE NOT coalesce(e.data ? 'left', false)
      AND (NOT coalesce(e.data ? 'series', false) OR r.event NOT IN ('ORDER_CREATED', 'ORDER_CANCELLED')
        OR CASE r.series WHEN 'EACH' THEN true WHEN 'ONCE' THEN e.data -> 'series' ? 'orders' ELSE false END)
      AND (r.event <> 'ORDER_REMINDER' OR r.days_ahead = (e.data ->> 'days')::smallint)
      AND NOT (r.event = 'STOP_ARRIVED' AND coalesce(e.occurred_at, e.recorded_at) < now() - interval '15 minutes')
      AND NOT (r.event = 'STOP_APPROACHING' AND EXISTS (
        SELECT FROM order_stops s
        WHERE s.org_id = e.org_id AND s.order_id = e.order_id AND s.kind = e.stop AND s.send_notification_before_arriving IS FALSE))
    UNION ALL
    SELECT e.org_id, e.id, 0, 0, CASE e.subject_type WHEN 'user' THEN 'EMAIL' ELSE 'SMS' END, w.name, NULL
    FROM unnest(due_notifications.orgs, due_notifications.events, due_notifications.times, due_notifications.names) AS w (org_id, id, at, name)
    JOIN events e ON e.org_id = w.org_id AND e.id = w.id AND e.recorded_at = w.at
    WHERE e.subject_type IN ('user', 'driver')
    ORDER BY 1, 2, 3, 4;
END
$$;
-- +goose StatementEnd
