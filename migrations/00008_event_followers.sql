-- +goose Up
-- Those who follow the whole log, each with the position up to which it has
-- taken everything. A follower that a later migration adds starts at the
-- present end of the log: what happened before is none of its business.

CREATE TABLE event_followers (
    name     text PRIMARY KEY,
    position bigint NOT NULL
);
GRANT SELECT, UPDATE ON event_followers TO waybill_app;

-- Serves followers only: a query that does not speak of kind, like the feed's
-- of one organization, can never be led astray by it.
CREATE INDEX events_follow_idx ON events (position) WHERE kind <> '' AND position IS NOT NULL;

-- What a follower has not taken yet, of all organizations, oldest first. The
-- relay serves everybody, so it goes round the policies.
-- +goose StatementBegin
CREATE FUNCTION follow_events(follower text, batch integer)
RETURNS TABLE (org_id bigint, id bigint, "position" bigint, kind text, order_id bigint, draft_id bigint,
    external_id text, order_status_id smallint, stop text, occurred_at timestamptz)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp
AS $$
    SELECT e.org_id, e.id, e.position, e.kind, e.order_id, e.draft_id, e.external_id, e.order_status_id, e.stop, e.occurred_at
    FROM events e
    WHERE e.position > (SELECT f.position FROM event_followers f WHERE f.name = follower) AND e.kind <> ''
    ORDER BY e.position
    LIMIT batch
$$;
-- +goose StatementEnd
REVOKE EXECUTE ON FUNCTION follow_events(text, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION follow_events(text, integer) TO waybill_app;
