-- Takes the next step of the sweep, after a look with a snapshot that found nothing left.
CREATE OR REPLACE FUNCTION sweep_events(seen pg_snapshot) RETURNS void
    LANGUAGE plpgsql SET search_path = public, pg_temp
AS $$
DECLARE
    taken bigint := (SELECT last_value FROM events_id_seq);
BEGIN
    UPDATE event_sequencer s SET
        swept_id = CASE WHEN s.marked_xid <= pg_snapshot_xmin(seen) THEN s.marked_id ELSE s.swept_id END,
        marked_id = CASE WHEN s.marked_id IS NULL OR s.marked_xid <= pg_snapshot_xmin(seen) OR s.marked_xid > pg_snapshot_xmax(seen)
            THEN taken ELSE s.marked_id END,
        marked_at = CASE WHEN s.marked_id IS NULL OR s.marked_xid <= pg_snapshot_xmin(seen) OR s.marked_xid > pg_snapshot_xmax(seen)
            THEN clock_timestamp() ELSE s.marked_at END,
        marked_xid = CASE
            WHEN s.marked_xid <= pg_snapshot_xmin(seen) OR s.marked_xid > pg_snapshot_xmax(seen) THEN NULL
            WHEN s.marked_xid IS NULL AND s.marked_at < clock_timestamp() - interval '2 seconds' THEN pg_snapshot_xmax(seen)
            ELSE s.marked_xid END
    WHERE s.swept_id < taken AND (s.marked_id IS NULL OR s.marked_xid <= pg_snapshot_xmin(seen)
        OR s.marked_xid > pg_snapshot_xmax(seen) OR s.marked_xid IS NULL AND s.marked_at < clock_timestamp() - interval '2 seconds');
END
$$;

REVOKE EXECUTE ON FUNCTION sweep_events FROM PUBLIC;
