-- +goose Up
-- The sequencer does not look again at what it has passed. A snapshot that stays open
-- keeps the index entries of events that have got their positions, and each look went
-- through all of them.
SET LOCAL lock_timeout = '2s';

-- Up to swept_id, every event has its position or will never be seen. Ids are taken before
-- a commit, so this is known in steps: an id is marked; a while later, so that whoever took
-- it has begun to write, the newest transaction is marked; and when all transactions up to
-- that one have ended, the id is swept.
ALTER TABLE event_sequencer
    ADD COLUMN swept_id bigint NOT NULL DEFAULT 0,
    ADD COLUMN marked_id bigint,
    ADD COLUMN marked_at timestamptz,
    ADD COLUMN marked_xid xid8,
    ADD COLUMN looked_at_all timestamptz NOT NULL DEFAULT '-infinity';

-- +goose StatementBegin
-- Takes the next step of the sweep, after a look with a snapshot that found nothing left.
CREATE FUNCTION sweep_events(seen pg_snapshot) RETURNS void
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

-- As in 00180_log_by_time_of_writing.sql, behind what was swept. Once a minute it looks at
-- all, whatever was swept.
CREATE OR REPLACE FUNCTION sequence_events(batch integer) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
    SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off
AS $$
DECLARE
    start bigint;
    given integer;
    behind bigint;
    complete boolean;
    -- All that had ended by this snapshot is seen by each statement that follows.
    seen pg_snapshot := pg_current_snapshot();
BEGIN
    SELECT s.swept_id, s.looked_at_all < clock_timestamp() - interval '1 minute' INTO behind, complete FROM event_sequencer s;
    IF complete THEN
        behind := 0;
    END IF;
    IF NOT EXISTS (SELECT FROM events e WHERE e.position IS NULL AND e.id > behind) THEN
        PERFORM sweep_events(seen);
        IF complete THEN
            UPDATE event_sequencer SET looked_at_all = clock_timestamp();
        END IF;
        RETURN 0;
    END IF;
    SELECT last_position INTO start FROM event_sequencer FOR UPDATE;
    -- This statement's snapshot is younger than the lock, so it sees all that
    -- earlier sequencers gave.
    WITH waiting AS (
        SELECT org_id, id, recorded_at FROM events WHERE position IS NULL AND id > behind ORDER BY id LIMIT batch
    ), numbered AS (
        SELECT org_id, id, recorded_at, start + row_number() OVER (ORDER BY id) AS position FROM waiting
    )
    UPDATE events e SET position = n.position
    FROM numbered n WHERE e.org_id = n.org_id AND e.id = n.id AND e.recorded_at = n.recorded_at;
    GET DIAGNOSTICS given = ROW_COUNT;
    UPDATE event_sequencer SET last_position = start + given,
        looked_at_all = CASE WHEN complete THEN clock_timestamp() ELSE looked_at_all END;
    IF given < batch THEN
        PERFORM sweep_events(seen);
    END IF;
    RETURN given;
END
$$;

-- As in 00096_relay_leases.sql; whether there is something to give, sequence_events knows.
CREATE OR REPLACE FUNCTION sequence_events_of_leader(member uuid, batch integer) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET enable_seqscan = off SET jit = off
AS $$
BEGIN
    IF EXISTS (SELECT FROM events e WHERE e.position IS NULL
        AND e.id > (SELECT CASE WHEN s.looked_at_all < clock_timestamp() - interval '1 minute' THEN 0 ELSE s.swept_id END
            FROM event_sequencer s)) THEN
        PERFORM FROM event_sequencer FOR UPDATE;
    END IF;
    -- This statement's snapshot is younger than the lock.
    IF NOT EXISTS (SELECT FROM event_sequencer s JOIN relay_members m ON m.id = s.leader
        WHERE s.leader = member AND m.expires_at > clock_timestamp()) THEN
        RETURN -1;
    END IF;
    RETURN sequence_events(batch);
END
$$;
-- +goose StatementEnd
REVOKE EXECUTE ON FUNCTION sweep_events(pg_snapshot) FROM PUBLIC;
