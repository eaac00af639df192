-- Gives positions to committed events in the name of a relay member. It returns how many, or -1
-- when the member no longer leads. A new leader waits for the lock that is held here, so a member
-- that has lost the lead gives no positions.
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

REVOKE EXECUTE ON FUNCTION sequence_events_of_leader FROM PUBLIC;
GRANT EXECUTE ON FUNCTION sequence_events_of_leader TO waybill_app;
