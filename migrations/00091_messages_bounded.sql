-- +goose Up
-- How many messages an organization has made on a day: altogether, where the
-- receiver is empty, and for each receiver, of whom only a digest is kept.
CREATE TABLE message_tallies (
    org_id bigint NOT NULL REFERENCES organizations (id),
    day date NOT NULL,
    channel text NOT NULL,
    receiver bytea NOT NULL,
    made integer NOT NULL,
    PRIMARY KEY (org_id, day, channel, receiver)
);
CREATE INDEX message_tallies_day_idx ON message_tallies (day);

SELECT guard_tenant('message_tallies');

-- Forgets the tallies of all organizations of days before one, at most batch of
-- them, and tells how many. It hands nothing out.
-- +goose StatementBegin
CREATE FUNCTION forget_message_tallies(before date, batch integer) RETURNS integer
    LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp
AS $$
    WITH doomed AS (
        SELECT org_id, day, channel, receiver FROM message_tallies
        WHERE day < before ORDER BY day LIMIT batch FOR UPDATE SKIP LOCKED
    ), gone AS (
        DELETE FROM message_tallies t USING doomed d
        WHERE t.org_id = d.org_id AND t.day = d.day AND t.channel = d.channel AND t.receiver = d.receiver
        RETURNING 1
    )
    SELECT count(*)::integer FROM gone
$$;
-- +goose StatementEnd
REVOKE EXECUTE ON FUNCTION forget_message_tallies(date, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION forget_message_tallies(date, integer) TO waybill_app;
