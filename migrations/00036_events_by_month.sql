-- +goose Up
-- The log says of every event what it is about, who made it and why, and lies in
-- one partition per month, so that old months can be dropped. What a new kind
-- carries goes into data: there are no new columns that few kinds fill.

ALTER TABLE events RENAME TO events_before;
DROP VIEW order_status_feed, product_status_feed;
DROP TRIGGER events_name_products ON events_before;
ALTER TABLE events_before ALTER COLUMN id DROP IDENTITY, DROP CONSTRAINT events_pkey;
DROP INDEX events_unsequenced_idx, events_status_feed_idx, events_follow_idx, events_product_feed_idx;

CREATE SEQUENCE events_id_seq;
CREATE TABLE events (
    org_id              bigint NOT NULL,
    id                  bigint NOT NULL DEFAULT nextval('events_id_seq'),
    position            bigint,
    kind                text NOT NULL,
    -- What it is about: the story of an order are the events with it as subject.
    subject_type        text NOT NULL,
    subject_id          bigint NOT NULL,
    -- Whoever writes an event says in the session's settings who asks and why.
    actor               text NOT NULL DEFAULT nullif(current_setting('app.actor', true), ''),
    cause               text NOT NULL DEFAULT nullif(current_setting('app.cause', true), ''),
    occurred_at         timestamptz NOT NULL DEFAULT now(),
    order_id            bigint,
    draft_id            bigint,
    external_id         text,
    -- Set when the event is a change of the order's status.
    order_status_id     smallint CONSTRAINT events_order_status_id_fkey REFERENCES order_statuses (id),
    driver_id           bigint,
    stop                text,
    notification_id     bigint,
    document_id         bigint,
    rule                text,
    product_ids         bigint[],
    removed_product_ids bigint[],
    -- The status of product_ids; set when the event says anything of products.
    product_status_id   smallint CONSTRAINT events_product_status_id_fkey REFERENCES order_statuses (id),
    data                jsonb,
    CONSTRAINT events_pkey PRIMARY KEY (org_id, id, occurred_at)
) PARTITION BY RANGE (occurred_at);
ALTER SEQUENCE events_id_seq OWNED BY events.id;

CREATE INDEX events_unsequenced_idx ON events (id) WHERE position IS NULL;
CREATE INDEX events_status_feed_idx ON events (org_id, position) WHERE order_status_id IS NOT NULL AND position IS NOT NULL;
CREATE INDEX events_product_feed_idx ON events (org_id, position) WHERE product_status_id IS NOT NULL AND position IS NOT NULL;
-- Serves followers only: a query that does not speak of kind, like the feed's
-- of one organization, can never be led astray by it.
CREATE INDEX events_follow_idx ON events (position) WHERE kind <> '' AND position IS NOT NULL;
CREATE INDEX events_subject_idx ON events (org_id, subject_type, subject_id, id);
SELECT guard_tenant('events');

-- The net: what falls into no month is kept here, and moves when its month is
-- made.
-- +goose StatementBegin
DO $$ BEGIN
    CREATE TABLE events_default PARTITION OF events DEFAULT WITH (fillfactor = 90);
    PERFORM guard_tenant('events_default');
END $$;
-- +goose StatementEnd

-- Makes the partition of a month, with what lies in the net of it; it is false
-- when there is one. A table is attached, because making it as a partition would
-- stop everybody who writes.
-- +goose StatementBegin
CREATE FUNCTION make_event_partition(month date) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
    partition text := 'events_' || to_char(month, 'YYYY_MM');
    starts timestamptz := date_trunc('month', month::timestamp) AT TIME ZONE 'UTC';
    ends timestamptz := (date_trunc('month', month::timestamp) + interval '1 month') AT TIME ZONE 'UTC';
BEGIN
    IF to_regclass(partition) IS NOT NULL THEN
        RETURN false;
    END IF;
    EXECUTE format('CREATE TABLE %I (LIKE events INCLUDING DEFAULTS) WITH (fillfactor = 90)', partition);
    PERFORM guard_tenant(partition::regclass);
    LOCK TABLE events_default IN ACCESS EXCLUSIVE MODE;
    EXECUTE format('WITH moved AS (DELETE FROM events_default WHERE occurred_at >= %L AND occurred_at < %L RETURNING *)
        INSERT INTO %I SELECT * FROM moved', starts, ends, partition);
    EXECUTE format('ALTER TABLE events ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', partition, starts, ends);
    RETURN true;
END
$$;
-- +goose StatementEnd
REVOKE EXECUTE ON FUNCTION make_event_partition(date) FROM PUBLIC;

-- Makes the partitions of this month and the next two, where they are missing,
-- and returns how many it made. The application calls it, which owns no table.
-- It waits for nobody long: who cannot have the lock comes again later.
-- +goose StatementBegin
CREATE FUNCTION make_event_partitions() RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '2s'
AS $$
DECLARE
    made integer := 0;
    present date := date_trunc('month', now() AT TIME ZONE 'UTC');
BEGIN
    PERFORM pg_advisory_xact_lock(hashtext('waybill.event_partitions'));
    FOR ahead IN 0..2 LOOP
        IF make_event_partition((present + make_interval(months => ahead))::date) THEN
            made := made + 1;
        END IF;
    END LOOP;
    RETURN made;
END
$$;
-- +goose StatementEnd
REVOKE EXECUTE ON FUNCTION make_event_partitions() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION make_event_partitions() TO waybill_app;

-- What exists. Who made it and why was not kept.
SELECT make_event_partition(m::date) FROM generate_series(
    (SELECT date_trunc('month', min(occurred_at) AT TIME ZONE 'UTC') FROM events_before),
    date_trunc('month', now() AT TIME ZONE 'UTC'), interval '1 month') m;
SELECT make_event_partitions();
INSERT INTO events (org_id, id, position, kind, subject_type, subject_id, actor, cause, occurred_at, order_id, draft_id, external_id,
    order_status_id, driver_id, stop, notification_id, document_id, rule, product_ids, removed_product_ids, product_status_id)
SELECT e.org_id, e.id, e.position, e.kind, s.subject_type,
    coalesce(CASE s.subject_type
        WHEN 'order' THEN e.order_id WHEN 'draft' THEN e.draft_id WHEN 'notification' THEN e.notification_id
        WHEN 'document' THEN e.document_id WHEN 'driver' THEN e.driver_id
        WHEN 'recurring_order' THEN substring(e.external_id FROM '^recurring-([0-9]{1,18})$')::bigint
        WHEN 'custom_field' THEN
            (SELECT d.id FROM custom_field_definitions d WHERE d.org_id = e.org_id AND d.external_id = e.external_id)
        WHEN 'location' THEN (SELECT l.id FROM locations l WHERE l.org_id = e.org_id AND l.external_id = e.external_id)
    END, 0),
    'system', 'before v0.2.0', e.occurred_at, e.order_id, e.draft_id, e.external_id, e.order_status_id, e.driver_id, e.stop,
    e.notification_id, e.document_id, e.rule, e.product_ids, e.removed_product_ids, e.product_status_id
FROM events_before e CROSS JOIN LATERAL (SELECT CASE
    WHEN e.kind LIKE 'draft.%' THEN 'draft'
    WHEN e.order_id IS NOT NULL THEN 'order'
    WHEN e.draft_id IS NOT NULL THEN 'draft'
    ELSE split_part(e.kind, '.', 1) END AS subject_type) s
ORDER BY e.id;
SELECT setval('events_id_seq', greatest((SELECT max(id) FROM events_before), 1));
DROP TABLE events_before;

CREATE TRIGGER events_name_products BEFORE INSERT ON events FOR EACH ROW
    WHEN (NEW.order_status_id IS NOT NULL AND NEW.product_ids IS NULL)
    EXECUTE FUNCTION name_products_of_event();

CREATE VIEW order_status_feed WITH (security_invoker = true) AS
SELECT e.org_id, e.position, e.order_id, e.external_id, e.order_status_id, s.name AS status,
    e.occurred_at, e.driver_id, e.stop
FROM events e JOIN order_statuses s ON s.id = e.order_status_id
WHERE e.position IS NOT NULL AND e.order_status_id IS NOT NULL;

-- One row for each product that an event speaks of; place counts them within
-- the event.
CREATE VIEW product_status_feed WITH (security_invoker = true) AS
SELECT e.org_id, e.position, u.place, e.order_id, e.external_id, u.product_id, p.external_id AS product_external_id,
    s.id AS status_id, s.name AS status, e.occurred_at, e.driver_id, e.stop
FROM events e
CROSS JOIN LATERAL unnest(coalesce(e.product_ids, '{}') || coalesce(e.removed_product_ids, '{}')) WITH ORDINALITY AS u (product_id, place)
JOIN order_statuses s
    ON s.id = CASE WHEN u.place <= coalesce(cardinality(e.product_ids), 0) THEN e.product_status_id ELSE 8 END
LEFT JOIN order_products p ON p.org_id = e.org_id AND p.id = u.product_id
WHERE e.position IS NOT NULL AND e.product_status_id IS NOT NULL;

GRANT SELECT ON order_status_feed, product_status_feed TO waybill_app;

-- Gives positions to committed events, as before; the time of an event finds its
-- partition. The log is large and what waits is little, whatever the statistics
-- say.
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION sequence_events(batch integer) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = public, pg_temp SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off
AS $$
DECLARE
    start bigint;
    given integer;
BEGIN
    IF NOT EXISTS (SELECT FROM events WHERE position IS NULL) THEN
        RETURN 0;
    END IF;
    SELECT last_position INTO start FROM event_sequencer FOR UPDATE;
    -- This statement's snapshot is younger than the lock, so it sees all that
    -- earlier sequencers gave.
    WITH waiting AS (
        SELECT org_id, id, occurred_at FROM events WHERE position IS NULL ORDER BY id LIMIT batch
    ), numbered AS (
        SELECT org_id, id, occurred_at, start + row_number() OVER (ORDER BY id) AS position FROM waiting
    )
    UPDATE events e SET position = n.position
    FROM numbered n WHERE e.org_id = n.org_id AND e.id = n.id AND e.occurred_at = n.occurred_at;
    GET DIAGNOSTICS given = ROW_COUNT;
    UPDATE event_sequencer SET last_position = start + given;
    RETURN given;
END
$$;
-- +goose StatementEnd

-- As before; the times of the events find their partitions.
DROP FUNCTION due_notifications(bigint[], bigint[], text[]);
-- +goose StatementBegin
CREATE FUNCTION due_notifications(orgs bigint[], events bigint[], times timestamptz[], names text[])
RETURNS TABLE (org_id bigint, event_id bigint, rule_id bigint, receiver integer, channel text, event text, order_id bigint)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp
AS $$
    SELECT e.org_id, e.id, r.id, x.ordinal, r.channel, r.event, e.order_id
    FROM unnest(due_notifications.orgs, due_notifications.events, due_notifications.times, due_notifications.names) AS w (org_id, id, at, name)
    JOIN events e ON e.org_id = w.org_id AND e.id = w.id AND e.occurred_at = w.at
    JOIN notification_rules r ON r.org_id = e.org_id AND r.event = w.name AND r.is_active
    CROSS JOIN LATERAL (
        SELECT min(c.seq)::int AS ordinal
        FROM order_stops s JOIN stop_contacts c ON c.org_id = s.org_id AND c.stop_id = s.id
        WHERE s.org_id = e.org_id AND s.order_id = e.order_id
          AND s.kind = CASE r.receiver WHEN 'DELIVERY_CONTACTS' THEN 'delivery' WHEN 'PICKUP_CONTACTS' THEN 'pickup' END
          AND (e.stop IS NULL OR e.stop = s.kind)
          AND CASE r.channel WHEN 'EMAIL' THEN c.email_address ELSE c.phone_number END <> ''
        GROUP BY lower(CASE r.channel WHEN 'EMAIL' THEN c.email_address ELSE c.phone_number END)
        UNION ALL
        SELECT 0 FROM orders o JOIN customers u ON u.org_id = o.org_id AND u.id = o.customer_id
        WHERE o.org_id = e.org_id AND o.id = e.order_id AND r.receiver = 'CUSTOMER'
          AND CASE r.channel WHEN 'EMAIL' THEN u.email_address ELSE u.phone_number END <> ''
        UNION ALL
        SELECT 0 WHERE r.receiver = 'ADDRESS'
    ) x
    WHERE NOT (r.event = 'STOP_APPROACHING' AND EXISTS (
        SELECT FROM order_stops s
        WHERE s.org_id = e.org_id AND s.order_id = e.order_id AND s.kind = e.stop AND s.send_notification_before_arriving IS FALSE))
    ORDER BY e.position, r.id, x.ordinal
$$;
-- +goose StatementEnd
REVOKE EXECUTE ON FUNCTION due_notifications(bigint[], bigint[], timestamptz[], text[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION due_notifications(bigint[], bigint[], timestamptz[], text[]) TO waybill_app;

-- As before, with the subject of its event.
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION take_seat(
    for_order bigint, for_draft bigint, version text, of_interval bigint, on_day date,
    pickup_from timestamptz, pickup_to timestamptz, delivery_from timestamptz, delivery_to timestamptz,
    OUT taken_at timestamptz, OUT taken integer)
    LANGUAGE plpgsql
AS $$
DECLARE
    org bigint := current_org();
    called text;
BEGIN
    IF for_order <> 0 THEN
        UPDATE orders o SET updated_at = now() WHERE o.org_id = org AND o.id = for_order AND o.xmin::text = version
        RETURNING o.number INTO called;
    ELSE
        SELECT coalesce(d.external_id, '') INTO called FROM drafts d
        WHERE d.org_id = org AND d.id = for_draft AND d.xmin::text = version FOR UPDATE;
    END IF;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'it has changed' USING ERRCODE = 'WB001';
    END IF;

    INSERT INTO bookings AS b (org_id, order_id, draft_id, interval_id, day, pickup_earliest, pickup_latest, delivery_earliest,
        delivery_latest, own_pickup_earliest, own_pickup_latest, own_pickup_source, own_delivery_earliest, own_delivery_latest,
        own_delivery_source)
    SELECT org, nullif(for_order, 0), nullif(for_draft, 0), of_interval, on_day, pickup_from, pickup_to, delivery_from, delivery_to,
        p.earliest, p.latest, p.window_source, d.earliest, d.latest, d.window_source
    FROM (VALUES (1)) AS one
    LEFT JOIN order_stops p ON p.org_id = org AND p.order_id = for_order AND p.kind = 'pickup'
    LEFT JOIN order_stops d ON d.org_id = org AND d.order_id = for_order AND d.kind = 'delivery'
    RETURNING b.booked_at INTO taken_at;

    IF for_order <> 0 THEN
        UPDATE order_stops s SET window_source = 'booking',
            earliest = CASE s.kind WHEN 'pickup' THEN pickup_from ELSE delivery_from END,
            latest = CASE s.kind WHEN 'pickup' THEN pickup_to ELSE delivery_to END
        WHERE s.org_id = org AND s.order_id = for_order;
    END IF;

    INSERT INTO events (org_id, kind, subject_type, subject_id, order_id, draft_id, external_id)
    VALUES (org, CASE WHEN for_order <> 0 THEN 'order.booked' ELSE 'draft.booked' END,
        CASE WHEN for_order <> 0 THEN 'order' ELSE 'draft' END, for_order + for_draft, nullif(for_order, 0), nullif(for_draft, 0),
        nullif(called, ''));

    -- Last, because of those who wait.
    INSERT INTO schedule_interval_days AS d (org_id, interval_id, day, booked)
    SELECT i.org_id, i.id, on_day, 1 FROM schedule_intervals i WHERE i.org_id = org AND i.id = of_interval AND i.is_active
    ON CONFLICT (org_id, interval_id, day) DO UPDATE SET booked = d.booked + 1
    WHERE d.booked < (SELECT i.slots FROM schedule_intervals i WHERE i.org_id = d.org_id AND i.id = d.interval_id)
    RETURNING d.booked INTO taken;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'no seat is left' USING ERRCODE = 'WB002';
    END IF;
END
$$;
-- +goose StatementEnd

-- Who asked for an import or the change of a template: the events of what comes
-- of it name them.
ALTER TABLE imports ADD COLUMN actor text DEFAULT nullif(current_setting('app.actor', true), '');
ALTER TABLE recurring_order_changes ADD COLUMN actor text DEFAULT nullif(current_setting('app.actor', true), '');
