-- +goose Up
-- Housekeeping drops only what nobody needs any more, wherever in the log it lies.
SET LOCAL lock_timeout = '2s';

-- How far the log was at a moment, about once a day. An event whose position is not
-- behind the mark was written before that moment, whatever times it carries itself.
CREATE TABLE log_marks (
    at       timestamptz PRIMARY KEY,
    position bigint NOT NULL
);

-- The highest position that was dropped from the log. Behind it the log is whole.
ALTER TABLE event_sequencer ADD COLUMN dropped_position bigint NOT NULL DEFAULT 0;

-- Marks for the time before this migration. An order is created when its event says, so
-- what has a lower position than such an event was written by then, give or take a day
-- for transactions that take long.
-- +goose StatementBegin
DO $$
DECLARE
    month regclass;
    ends timestamptz;
    place bigint;
BEGIN
    FOR month, ends IN
        SELECT c.oid, (to_date(right(c.relname, 7), 'YYYY_MM') + interval '1 month') AT TIME ZONE 'UTC' + interval '1 day'
        FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
        WHERE i.inhparent = 'events'::regclass AND c.relname ~ '^events_\d{4}_\d{2}$'
    LOOP
        CONTINUE WHEN ends > now();
        EXECUTE format('SELECT max(x.position) FROM (SELECT e.position, e.kind FROM %s e
            WHERE e.kind <> '''' AND e.position IS NOT NULL ORDER BY e.position DESC LIMIT 10000) x
            WHERE x.kind = ''order.created''', month) INTO place;
        IF place IS NOT NULL THEN
            INSERT INTO log_marks (at, position) VALUES (ends, place);
        END IF;
    END LOOP;
    INSERT INTO log_marks (at, position) SELECT now(), last_position FROM event_sequencer;
    UPDATE event_sequencer SET dropped_position = coalesce(
        (SELECT min(e.position) - 1 FROM events e WHERE e.kind <> '' AND e.position IS NOT NULL), last_position);
END
$$;

-- Makes the partitions of this month and the next two, and of past months of which
-- something lies in the default partition, where they are missing; returns how many it
-- made. It waits for nobody for long: whoever cannot have the lock tries again later. A
-- default partition that has grown large is left alone, because moving it would stop
-- everybody who writes; housekeeping deletes what is old in it.
CREATE OR REPLACE FUNCTION make_event_partitions()
    RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '2s'
AS $$
DECLARE
    made integer := 0;
    month date;
    present date := date_trunc('month', now() AT TIME ZONE 'UTC');
BEGIN
    PERFORM pg_advisory_xact_lock(hashtext('waybill.event_partitions'));
    INSERT INTO log_marks (at, position) SELECT now(), s.last_position FROM event_sequencer s
    WHERE NOT EXISTS (SELECT FROM log_marks m WHERE m.at > now() - interval '23 hours');
    FOR ahead IN 0..2 LOOP
        IF make_event_partition((present + make_interval(months => ahead))::date) THEN
            made := made + 1;
        END IF;
    END LOOP;
    IF pg_relation_size('events_default') <= 64 * 1024 * 1024 THEN
        FOR month IN
            SELECT DISTINCT date_trunc('month', e.recorded_at AT TIME ZONE 'UTC')::date FROM events_default e
            WHERE e.recorded_at >= (present - interval '12 months') AT TIME ZONE 'UTC' AND e.recorded_at < now()
        LOOP
            IF make_event_partition(month) THEN
                made := made + 1;
            END IF;
        END LOOP;
    END IF;
    RETURN made;
END
$$;

-- Whether somebody still needs an event of a partition up to a position: a follower of
-- the log that has not taken it, a webhook endpoint that has not come to it, or one that
-- tries it again.
CREATE FUNCTION log_is_needed(part regclass, upto bigint) RETURNS boolean
    LANGUAGE plpgsql STABLE SET search_path = public, pg_temp
AS $$
DECLARE
    needed boolean;
BEGIN
    IF upto > (SELECT min(s.last_position - l.behind) FROM log_lag() l CROSS JOIN event_sequencer s) THEN
        RETURN true;
    END IF;
    EXECUTE format('SELECT EXISTS (
        SELECT FROM webhook_endpoints w CROSS JOIN LATERAL (
            SELECT FROM %1$s e
            WHERE e.org_id = w.org_id AND e.position >= w.position AND e.position <= $1 AND e.order_status_id IS NOT NULL
              AND e.position IS NOT NULL
              AND (e.position > w.position OR w.place < coalesce(jsonb_array_length(e.data -> ''numbers''), 1))
            LIMIT 1) e
        WHERE w.is_active AND w.deleted_at IS NULL
    ) OR EXISTS (
        SELECT FROM webhook_deliveries d JOIN webhook_endpoints w ON w.org_id = d.org_id AND w.id = d.endpoint_id
        JOIN %1$s e ON e.org_id = d.org_id AND e.position = d.position AND e.order_status_id IS NOT NULL
        WHERE d.next_at IS NOT NULL AND d.position <= $1 AND w.is_active AND w.deleted_at IS NULL)', part)
    INTO needed USING upto;
    RETURN needed;
END
$$;

-- Drops the oldest month of the log that was over before a moment, and returns how many
-- it dropped: one or none. A dry one counts them all. A month stays while something in it
-- was written since that moment, or somebody needs it; the latter is named. What lies in
-- the default partition goes by the same rules, a part at a time. It waits for nobody
-- for long, because all who write wait behind it.
CREATE OR REPLACE FUNCTION forget_events(before timestamptz, dry boolean, OUT counted integer, OUT needed text)
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '500ms'
AS $$
DECLARE
    month regclass;
    old bigint := coalesce((SELECT max(m.position) FROM log_marks m WHERE m.at <= before), 0);
    waits boolean;
    last bigint; -- the highest position that goes
BEGIN
    counted := 0;
    IF before > now() - interval '90 days' THEN
        RAISE EXCEPTION 'the log is kept for 90 days at least';
    END IF;
    FOR month IN
        SELECT c.oid FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
        WHERE i.inhparent = 'events'::regclass AND c.relname ~ '^events_\d{4}_\d{2}$'
          AND (to_date(right(c.relname, 7), 'YYYY_MM') + interval '1 month') AT TIME ZONE 'UTC' <= before
        ORDER BY c.relname
    LOOP
        EXECUTE format('SELECT EXISTS (SELECT FROM %s WHERE position IS NULL),
            coalesce((SELECT max(position) FROM %1$s WHERE kind <> '''' AND position IS NOT NULL), 0)', month)
        INTO waits, last;
        CONTINUE WHEN waits OR last > old;
        IF dry THEN
            counted := counted + 1;
            CONTINUE;
        END IF;
        IF log_is_needed(month, last) THEN
            needed := month::text;
            RETURN;
        END IF;
        EXECUTE format('ALTER TABLE events DETACH PARTITION %s', month);
        EXECUTE format('DROP TABLE %s', month);
        UPDATE event_sequencer SET dropped_position = greatest(dropped_position, last);
        counted := 1;
        RETURN;
    END LOOP;
    IF dry THEN
        RETURN;
    END IF;
    SELECT max(x.position) INTO last FROM (
        SELECT e.position FROM events_default e
        WHERE e.kind <> '' AND e.position IS NOT NULL AND e.position <= old ORDER BY e.position LIMIT 20000) x;
    IF last IS NULL THEN
        RETURN;
    END IF;
    IF log_is_needed('events_default', last) THEN
        needed := 'events_default';
        RETURN;
    END IF;
    DELETE FROM events_default e WHERE e.kind <> '' AND e.position IS NOT NULL AND e.position <= last;
    UPDATE event_sequencer SET dropped_position = greatest(dropped_position, last);
END
$$;
-- +goose StatementEnd
REVOKE EXECUTE ON FUNCTION log_is_needed(regclass, bigint) FROM PUBLIC;
