-- Returns the messages that events make: one row per receiver, with the receiver's place among
-- the others and no personal data. names are the notification events of the events; times are
-- those at which the events were recorded. Contacts are those of the number that an event is of.
-- A number that left an order for another one (data.left) makes no message. Messages about an
-- account go to its owner, whatever the rules are, and those about an alert to the addresses that it has. Orders of a template make messages as the rule
-- says, and a reminder is for the rules of its days. The follower serves all organizations, so
-- this bypasses row-level security.
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
    WHERE e.subject_type IN ('user', 'driver') AND e.kind <> 'alert.raised'
    UNION ALL
    SELECT e.org_id, e.id, 0, x.place, 'EMAIL', w.name, NULL
    FROM unnest(due_notifications.orgs, due_notifications.events, due_notifications.times, due_notifications.names) AS w (org_id, id, at, name)
    JOIN events e ON e.org_id = w.org_id AND e.id = w.id AND e.recorded_at = w.at
    CROSS JOIN LATERAL generate_series(1, (e.data ->> 'emails')::int) AS x (place)
    WHERE e.kind = 'alert.raised'
    ORDER BY 1, 2, 3, 4;
END
$$;

REVOKE EXECUTE ON FUNCTION due_notifications FROM PUBLIC;
GRANT EXECUTE ON FUNCTION due_notifications TO waybill_app;
