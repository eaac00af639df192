-- +goose Up
-- Whoever follows an order by one of its numbers hears of that number, however
-- many share the order: in both status feeds, and by message.

-- The number that an event is of; null when it is of the order, and so of every
-- number that counts in it.
-- +goose StatementBegin
CREATE FUNCTION number_of_event(kind text, number text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$
    SELECT CASE WHEN kind IN ('order.created', 'order.merged', 'order.cancelled', 'order.reactivated',
        'order.number_cancelled', 'order.number_replanned') THEN number END
$$;
-- +goose StatementEnd

-- Whoever writes a change of a whole order's status means all numbers that count
-- in it then. They are kept with the event, because numbers come and go while
-- the log stays.
-- +goose StatementBegin
CREATE FUNCTION name_numbers_of_event() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    counting text[];
BEGIN
    SELECT array_agg(n.number ORDER BY n.number) INTO counting FROM order_numbers n
    WHERE n.org_id = NEW.org_id AND n.order_id = NEW.order_id AND n.cancelled_at IS NULL;
    IF counting <> ARRAY[NEW.external_id] THEN
        NEW.data := coalesce(NEW.data, '{}') || jsonb_build_object('numbers', counting);
    END IF;
    RETURN NEW;
END
$$;
-- +goose StatementEnd
CREATE TRIGGER events_name_numbers BEFORE INSERT ON events FOR EACH ROW
    WHEN (NEW.order_status_id IS NOT NULL AND number_of_event(NEW.kind, NEW.external_id) IS NULL)
    EXECUTE FUNCTION name_numbers_of_event();

DROP VIEW order_status_feed, product_status_feed;

-- One row for each number that an event speaks of; place counts them within the
-- event. Events that were written before know one number.
CREATE VIEW order_status_feed WITH (security_invoker = true) AS
SELECT e.org_id, e.position, n.place, n.place = coalesce(jsonb_array_length(e.data -> 'numbers'), 1) AS is_last,
    e.order_id, n.number AS external_id, e.order_status_id, s.name AS status, e.occurred_at, e.driver_id, e.stop
FROM events e JOIN order_statuses s ON s.id = e.order_status_id
CROSS JOIN LATERAL jsonb_array_elements_text(coalesce(e.data -> 'numbers', jsonb_build_array(e.external_id)))
    WITH ORDINALITY AS n (number, place)
WHERE e.position IS NOT NULL AND e.order_status_id IS NOT NULL;

-- One row for each product that an event speaks of; place counts them within
-- the event. A product that is gone has the number of its event.
CREATE VIEW product_status_feed WITH (security_invoker = true) AS
SELECT e.org_id, e.position, u.place, e.order_id, coalesce(p.number, e.external_id) AS external_id, u.product_id,
    p.external_id AS product_external_id, s.id AS status_id, s.name AS status, e.occurred_at, e.driver_id, e.stop
FROM events e
CROSS JOIN LATERAL unnest(coalesce(e.product_ids, '{}') || coalesce(e.removed_product_ids, '{}')) WITH ORDINALITY AS u (product_id, place)
JOIN order_statuses s
    ON s.id = CASE WHEN u.place <= coalesce(cardinality(e.product_ids), 0) THEN e.product_status_id ELSE 8 END
LEFT JOIN order_products p ON p.org_id = e.org_id AND p.id = u.product_id
WHERE e.position IS NOT NULL AND e.product_status_id IS NOT NULL;

GRANT SELECT ON order_status_feed, product_status_feed TO waybill_app;

-- The people at a stop whom a number names, and without a number those of the
-- order. A number that shares its order, or was cancelled in it, has its own;
-- one that does not has those of the order that it leads to.
-- +goose StatementBegin
CREATE FUNCTION contacts_of(org bigint, for_order bigint, called text, stop text)
RETURNS TABLE (seq integer, id bigint, first_name text, last_name text, phone_number text, email_address text)
    LANGUAGE sql STABLE
AS $$
    WITH own AS (
        SELECT e.own -> initcap(stop) -> 'Contacts' AS contacts FROM erp_orders e
        WHERE e.org_id = org AND e.number = called AND e.own IS NOT NULL
    )
    SELECT c.place::int - 1, NULL::bigint, c.contact ->> 'firstName', c.contact ->> 'lastName',
        c.contact ->> 'phoneNumber', c.contact ->> 'emailAddress'
    FROM own CROSS JOIN LATERAL jsonb_array_elements(CASE jsonb_typeof(own.contacts) WHEN 'array' THEN own.contacts ELSE '[]' END)
        WITH ORDINALITY AS c (contact, place)
    UNION ALL
    SELECT c.seq::int, c.id, c.first_name, c.last_name, c.phone_number, c.email_address
    FROM order_stops s JOIN stop_contacts c ON c.org_id = s.org_id AND c.stop_id = s.id
    WHERE s.org_id = org AND s.kind = contacts_of.stop AND NOT EXISTS (SELECT FROM own)
      AND s.order_id = coalesce((SELECT n.order_id FROM order_numbers n WHERE n.org_id = org AND n.number = called), for_order)
$$;
-- +goose StatementEnd

-- One of them by its place, counted from 0; null when there is none.
-- +goose StatementBegin
CREATE FUNCTION contact_of(org bigint, for_order bigint, called text, stop text, place integer) RETURNS jsonb
    LANGUAGE sql STABLE
AS $$
    SELECT to_jsonb(c) FROM contacts_of(org, for_order, called, stop) c WHERE c.seq = place
$$;
-- +goose StatementEnd

-- As before, with the contacts of the number that an event is of. A number that
-- left an order for another one (data.left) is no news to anybody.
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION due_notifications(orgs bigint[], events bigint[], times timestamptz[], names text[])
RETURNS TABLE (org_id bigint, event_id bigint, rule_id bigint, receiver integer, channel text, event text, order_id bigint)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp
AS $$
    SELECT e.org_id, e.id, r.id, x.ordinal, r.channel, r.event, e.order_id
    FROM unnest(due_notifications.orgs, due_notifications.events, due_notifications.times, due_notifications.names) AS w (org_id, id, at, name)
    JOIN events e ON e.org_id = w.org_id AND e.id = w.id AND e.occurred_at = w.at
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
      AND NOT (r.event = 'STOP_APPROACHING' AND EXISTS (
        SELECT FROM order_stops s
        WHERE s.org_id = e.org_id AND s.order_id = e.order_id AND s.kind = e.stop AND s.send_notification_before_arriving IS FALSE))
    ORDER BY e.position, r.id, x.ordinal
$$;
-- +goose StatementEnd
