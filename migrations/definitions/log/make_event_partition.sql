-- Creates the partition of a month, with the rows of that month in the default partition. It
-- returns false when the partition exists. It attaches a table, because creating the table as a
-- partition would block all writers.
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

REVOKE EXECUTE ON FUNCTION make_event_partition FROM PUBLIC;
