-- Gives positions to committed events of all organizations, at most batch of them, and returns
-- how many. It bypasses row-level security and returns nothing else. It starts behind what was
-- swept; once a minute it looks at everything.
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

REVOKE EXECUTE ON FUNCTION sequence_events FROM PUBLIC;
GRANT EXECUTE ON FUNCTION sequence_events TO waybill_app;
