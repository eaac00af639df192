-- +goose Up
-- As before, planned once for a session: a function in SQL that goes round the
-- policies is planned anew whenever a follower asks, which took longer than the
-- answer.
-- +goose StatementBegin
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
    SELECT e.org_id, e.id, e.position, e.kind, e.order_id, e.draft_id, e.external_id, e.order_status_id, e.stop, e.occurred_at
    FROM events e
    WHERE e.position > taken AND e.kind <> ''
    ORDER BY e.position
    LIMIT batch;
END
$$;
-- +goose StatementEnd
