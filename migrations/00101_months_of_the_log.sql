-- +goose Up
-- Months of the log that are too old are dropped whole.

-- The status of an event is what the program says. A reference to it would have each
-- dropped month lock the statuses, which every order is read with.
ALTER TABLE events
    DROP CONSTRAINT events_order_status_id_fkey,
    DROP CONSTRAINT events_product_status_id_fkey;

-- Drops the oldest month of the log that was over before a moment, and returns how
-- many it dropped: one or none. A dry one counts them all. What an integrator may
-- still read stays, and so does a month that a follower has not taken yet, which is
-- named. It waits for nobody long, because all who write wait behind it; who cannot
-- have the lock comes again later.
-- +goose StatementBegin
CREATE FUNCTION forget_events(before timestamptz, dry boolean, OUT counted integer, OUT needed text)
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '500ms'
AS $$
DECLARE
    month regclass;
    ahead boolean;
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
        IF dry THEN
            counted := counted + 1;
            CONTINUE;
        END IF;
        EXECUTE format('SELECT EXISTS (SELECT FROM %s WHERE position IS NULL)
            OR coalesce((SELECT max(position) FROM %1$s WHERE kind <> '''' AND position IS NOT NULL)
                > (SELECT min(s.last_position - l.behind) FROM log_lag() l CROSS JOIN event_sequencer s), false)', month) INTO ahead;
        IF ahead THEN
            needed := month::text;
            RETURN;
        END IF;
        EXECUTE format('ALTER TABLE events DETACH PARTITION %s', month);
        EXECUTE format('DROP TABLE %s', month);
        counted := 1;
        RETURN;
    END LOOP;
    -- What lies in the net was never part of a month.
    IF NOT dry THEN
        DELETE FROM events_default e WHERE e.occurred_at < before AND e.position IS NOT NULL;
    END IF;
END
$$;
-- +goose StatementEnd
REVOKE EXECUTE ON FUNCTION forget_events(timestamptz, boolean) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION forget_events(timestamptz, boolean) TO waybill_app;
