-- Returns the events that a follower has not taken yet, of all organizations, oldest first. Only
-- v0.2.0 calls it. It finds events again by the time that is returned as occurred_at, and uses it
-- for nothing else, so that is the time at which they were recorded. It is in plpgsql because
-- Postgres plans a function in SQL that bypasses row-level security for each call, which took
-- longer than the answer.
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

REVOKE EXECUTE ON FUNCTION follow_events FROM PUBLIC;
GRANT EXECUTE ON FUNCTION follow_events TO waybill_app;
