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

REVOKE EXECUTE ON FUNCTION make_event_partitions FROM PUBLIC;
GRANT EXECUTE ON FUNCTION make_event_partitions TO waybill_app;
