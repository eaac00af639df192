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

REVOKE EXECUTE ON FUNCTION forget_events FROM PUBLIC;
GRANT EXECUTE ON FUNCTION forget_events TO waybill_app;
