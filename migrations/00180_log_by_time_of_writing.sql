-- +goose Up
-- The log lies in months by the time at which an event was written, which the database
-- says. When it happened is data: drivers and carriers say that, and it may be long ago.
--
-- Nothing is rewritten. The column that the log is partitioned by keeps its values under
-- another name, and the new column is null in the events of before: those happened when
-- they say that they were recorded. The program of the previous release writes
-- occurred_at as before, or leaves it out.
SET LOCAL lock_timeout = '2s';

-- squawk-ignore renaming-column
ALTER TABLE events RENAME COLUMN occurred_at TO recorded_at;
ALTER TABLE events ADD COLUMN occurred_at timestamptz;
ALTER TABLE events ALTER COLUMN occurred_at SET DEFAULT now();

-- As in 00120_webhooks.sql.
CREATE OR REPLACE VIEW order_status_feed WITH (security_invoker = true) AS
SELECT e.org_id, e.position, n.place, n.place = coalesce(jsonb_array_length(e.data -> 'numbers'), 1) AS is_last,
    e.order_id, n.number AS external_id, e.order_status_id, s.name AS status,
    coalesce(e.occurred_at, e.recorded_at) AS occurred_at, e.driver_id, e.stop,
    CASE WHEN e.kind IN ('order.planned', 'order.eta_changed') THEN (e.data ->> 'delivery')::timestamptz END AS eta, e.kind
FROM events e JOIN order_statuses s ON s.id = e.order_status_id
CROSS JOIN LATERAL jsonb_array_elements_text(coalesce(e.data -> 'numbers', jsonb_build_array(e.external_id)))
    WITH ORDINALITY AS n (number, place)
WHERE e.position IS NOT NULL AND e.order_status_id IS NOT NULL;

-- As in 00132_scans_in_feed.sql.
CREATE OR REPLACE VIEW product_status_feed WITH (security_invoker = true) AS
SELECT e.org_id, e.position, u.place, e.order_id, coalesce(p.number, e.external_id) AS external_id, u.product_id,
    p.external_id AS product_external_id, s.id AS status_id, s.name AS status,
    coalesce(e.occurred_at, e.recorded_at) AS occurred_at, e.driver_id, e.stop,
    CASE WHEN e.kind = 'order.product_scanned' THEN e.data END AS scan
FROM events e
CROSS JOIN LATERAL unnest(coalesce(e.product_ids, '{}') || coalesce(e.removed_product_ids, '{}')) WITH ORDINALITY AS u (product_id, place)
JOIN order_statuses s
    ON s.id = CASE WHEN u.place <= coalesce(cardinality(e.product_ids), 0) THEN e.product_status_id ELSE 8 END
LEFT JOIN order_products p ON p.org_id = e.org_id AND p.id = u.product_id
WHERE e.position IS NOT NULL AND e.product_status_id IS NOT NULL;

-- +goose StatementBegin
-- As in 00036_events_by_month.sql.
CREATE OR REPLACE FUNCTION make_event_partition(month date) RETURNS boolean LANGUAGE plpgsql AS $$
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
    EXECUTE format('WITH moved AS (DELETE FROM events_default WHERE recorded_at >= %L AND recorded_at < %L RETURNING *)
        INSERT INTO %I SELECT * FROM moved', starts, ends, partition);
    EXECUTE format('ALTER TABLE events ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', partition, starts, ends);
    RETURN true;
END
$$;

-- As in 00036_events_by_month.sql.
CREATE OR REPLACE FUNCTION sequence_events(batch integer) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
    SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off
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
        SELECT org_id, id, recorded_at FROM events WHERE position IS NULL ORDER BY id LIMIT batch
    ), numbered AS (
        SELECT org_id, id, recorded_at, start + row_number() OVER (ORDER BY id) AS position FROM waiting
    )
    UPDATE events e SET position = n.position
    FROM numbered n WHERE e.org_id = n.org_id AND e.id = n.id AND e.recorded_at = n.recorded_at;
    GET DIAGNOSTICS given = ROW_COUNT;
    UPDATE event_sequencer SET last_position = start + given;
    RETURN given;
END
$$;

-- As in 00096_relay_leases.sql, with the time at which an event was recorded, which
-- finds its partition.
DROP FUNCTION events_between(bigint, bigint, smallint[], bigint, text[]);
CREATE FUNCTION events_between(after bigint, upto bigint, shards smallint[], org bigint, kinds text[])
RETURNS TABLE (org_id bigint, shard smallint, id bigint, "position" bigint, kind text, order_id bigint, draft_id bigint,
    external_id text, order_status_id smallint, stop text, recorded_at timestamptz)
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp SET jit = off
AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    SELECT e.org_id, event_shard(e.org_id), e.id, e.position, e.kind, e.order_id, e.draft_id, e.external_id,
        e.order_status_id, e.stop, e.recorded_at
    FROM events e
    WHERE e.position > events_between.after AND e.position <= events_between.upto AND e.kind <> ''
      AND event_shard(e.org_id) = ANY (events_between.shards) AND e.kind = ANY (events_between.kinds)
      AND (events_between.org = 0 OR e.org_id = events_between.org)
    ORDER BY e.position;
END
$$;

-- As in 00058_following_planned_once.sql, for the program of the previous release. It
-- finds events again by the time that is returned as occurred_at, and uses it for
-- nothing else, so that is the time at which they were recorded.
CREATE OR REPLACE FUNCTION follow_events(follower text, batch integer)
RETURNS TABLE (org_id bigint, id bigint, "position" bigint, kind text, order_id bigint, draft_id bigint,
    external_id text, order_status_id smallint, stop text, occurred_at timestamptz)
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp SET jit = off
AS $$
#variable_conflict use_column
DECLARE
    taken bigint;
BEGIN
    SELECT f.position INTO taken FROM event_followers f WHERE f.name = follower;
    RETURN QUERY
    SELECT e.org_id, e.id, e.position, e.kind, e.order_id, e.draft_id, e.external_id, e.order_status_id, e.stop, e.recorded_at
    FROM events e
    WHERE e.position > taken AND e.kind <> ''
    ORDER BY e.position
    LIMIT batch;
END
$$;

-- As in 00096_relay_leases.sql. How long an event waits counts from when it was written.
CREATE OR REPLACE FUNCTION log_lag() RETURNS TABLE (follower text, behind bigint, waiting double precision)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp
AS $$
    SELECT f.name, s.last_position - (SELECT min(coalesce(c.position, f.position)) FROM relay_shards r
        LEFT JOIN event_cursors c ON c.follower = f.name AND c.shard = r.shard),
        coalesce(extract(epoch FROM clock_timestamp() - (
            SELECT e.recorded_at FROM events e WHERE e.position IS NULL ORDER BY e.id LIMIT 1)), 0)::double precision
    FROM event_followers f CROSS JOIN event_sequencer s
$$;

-- As in 00081_drive_days.sql; the times are those at which the events were recorded.
CREATE OR REPLACE FUNCTION drive_days_of_events(orgs bigint[], events bigint[], times timestamptz[])
RETURNS TABLE (org_id bigint, driver_id bigint, day date)
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp SET jit = off
AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    SELECT DISTINCT x.org_id, x.driver_id, driving_day(x.org_id, x.driver_id, x.at)
    FROM (
        SELECT e.org_id, coalesce(e.driver_id, o.driver_id) AS driver_id, coalesce(e.occurred_at, e.recorded_at) AS at
        FROM unnest(drive_days_of_events.orgs, drive_days_of_events.events, drive_days_of_events.times) AS w (org_id, id, at)
        JOIN events e ON e.org_id = w.org_id AND e.id = w.id AND e.recorded_at = w.at
        LEFT JOIN orders o ON o.org_id = e.org_id AND o.id = e.order_id
    ) x
    WHERE x.driver_id IS NOT NULL AND EXISTS (SELECT FROM driver_actions a
        WHERE a.org_id = x.org_id AND a.driver_id = x.driver_id
          AND a.occurred_at BETWEEN x.at - interval '24 hours' AND x.at + interval '1 hour')
    ORDER BY 1, 2, 3;
END
$$;

-- As before; the times are those at which the events were recorded.
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
REVOKE EXECUTE ON FUNCTION events_between(bigint, bigint, smallint[], bigint, text[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION events_between(bigint, bigint, smallint[], bigint, text[]) TO waybill_app;
