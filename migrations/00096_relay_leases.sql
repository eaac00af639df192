-- +goose Up
-- Who does the work of the relay is held by lease: each process that takes part
-- renews its row, and what it holds is free as soon as its lease has run out,
-- whatever became of its connection or its host. All times are of this server.

CREATE TABLE relay_members (
    id         uuid PRIMARY KEY,
    name       text NOT NULL,
    since      timestamptz NOT NULL DEFAULT clock_timestamp(),
    expires_at timestamptz NOT NULL
);

-- The member that gives events their positions.
ALTER TABLE event_sequencer ADD COLUMN leader uuid REFERENCES relay_members ON DELETE SET NULL;

-- Followers of the log are served in shards of organizations, each by the member
-- that holds it. The term tells two times apart that a member held it.
CREATE TABLE relay_shards (
    shard  smallint PRIMARY KEY,
    holder uuid REFERENCES relay_members ON DELETE SET NULL,
    term   bigint NOT NULL DEFAULT 0
);
INSERT INTO relay_shards (shard) SELECT generate_series(0, 15);

CREATE FUNCTION event_shard(org bigint) RETURNS smallint LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN (org % 16)::smallint;

-- Up to where a follower has taken all events of a shard. Where there is none, it is
-- where the follower was added, which is all that event_followers says from now on.
CREATE TABLE event_cursors (
    follower text NOT NULL REFERENCES event_followers (name) ON DELETE CASCADE,
    shard    smallint NOT NULL REFERENCES relay_shards,
    position bigint NOT NULL,
    PRIMARY KEY (follower, shard)
) WITH (fillfactor = 50);

GRANT SELECT, DELETE ON relay_members TO waybill_app;
GRANT SELECT ON relay_shards TO waybill_app;
GRANT SELECT, INSERT, UPDATE ON event_cursors TO waybill_app;
GRANT SELECT ON event_sequencer TO waybill_app;

-- Renews the lease of a member, or has it join, and shares out what nobody holds: the
-- lead, and shards up to a fair share. What is answered is what the member holds from
-- now on. Nobody waits for long for a lock: what a transaction of a lost member has in
-- use is had at the next beat.
-- +goose StatementBegin
CREATE FUNCTION relay_beat(member uuid, member_name text, lease double precision, given_up smallint[])
RETURNS TABLE (leads boolean, share integer, shards smallint[], terms bigint[])
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET jit = off SET lock_timeout = '200ms'
AS $$
DECLARE
    free integer; -- how many shards it may take
BEGIN
    -- A renewal that a crash of the server loses only ends a lease early.
    PERFORM set_config('synchronous_commit', 'off', true);
    IF EXISTS (SELECT FROM relay_members m WHERE m.expires_at <= clock_timestamp()) THEN
        BEGIN
            DELETE FROM relay_members m WHERE m.expires_at <= clock_timestamp();
        EXCEPTION WHEN lock_not_available THEN
            NULL;
        END;
    END IF;
    INSERT INTO relay_members (id, name, expires_at)
    VALUES (member, member_name, clock_timestamp() + make_interval(secs => lease))
    ON CONFLICT (id) DO UPDATE SET expires_at = excluded.expires_at;

    UPDATE relay_shards s SET holder = NULL WHERE s.holder = member AND s.shard = ANY (given_up);
    UPDATE event_sequencer s SET leader = member WHERE s.leader IS NULL;
    SELECT ceil(count(*)::numeric / (SELECT count(*) FROM relay_members)), count(*) FILTER (WHERE s.holder = member)
    INTO share, free FROM relay_shards s;
    free := greatest(share - free, 0);
    UPDATE relay_shards s SET holder = member, term = s.term + 1
    WHERE s.shard IN (SELECT f.shard FROM relay_shards f WHERE f.holder IS NULL
        ORDER BY f.shard LIMIT free FOR UPDATE SKIP LOCKED);

    SELECT EXISTS (SELECT FROM event_sequencer s WHERE s.leader = member) INTO leads;
    SELECT coalesce(array_agg(s.shard ORDER BY s.shard), '{}'), coalesce(array_agg(s.term ORDER BY s.shard), '{}')
    INTO shards, terms FROM relay_shards s WHERE s.holder = member;
    RETURN NEXT;
END
$$;

-- Gives positions to committed events in the name of a member; -1 says that it does
-- not lead any more, and that nothing was given. Whoever takes the lead waits for the
-- lock that is held here, so no position is given by one who has lost it.
CREATE FUNCTION sequence_events_of_leader(member uuid, batch integer) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET enable_seqscan = off SET jit = off
AS $$
BEGIN
    IF EXISTS (SELECT FROM events e WHERE e.position IS NULL) THEN
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

-- The events of some kinds between two places of the log, of the organizations of
-- shards or of one of them (0 is all), oldest first. The relay serves everybody, so
-- it goes round the policies.
CREATE FUNCTION events_between(after bigint, upto bigint, shards smallint[], org bigint, kinds text[])
RETURNS TABLE (org_id bigint, shard smallint, id bigint, "position" bigint, kind text, order_id bigint, draft_id bigint,
    external_id text, order_status_id smallint, stop text, occurred_at timestamptz)
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp SET jit = off
AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    SELECT e.org_id, event_shard(e.org_id), e.id, e.position, e.kind, e.order_id, e.draft_id, e.external_id,
        e.order_status_id, e.stop, e.occurred_at
    FROM events e
    WHERE e.position > events_between.after AND e.position <= events_between.upto AND e.kind <> ''
      AND event_shard(e.org_id) = ANY (events_between.shards) AND e.kind = ANY (events_between.kinds)
      AND (events_between.org = 0 OR e.org_id = events_between.org)
    ORDER BY e.position;
END
$$;

-- As before; a follower is as far as the last of its shards.
CREATE OR REPLACE FUNCTION log_lag() RETURNS TABLE (follower text, behind bigint, waiting double precision)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp
AS $$
    SELECT f.name, s.last_position - (SELECT min(coalesce(c.position, f.position)) FROM relay_shards r
        LEFT JOIN event_cursors c ON c.follower = f.name AND c.shard = r.shard),
        coalesce(extract(epoch FROM clock_timestamp() - (
            SELECT e.occurred_at FROM events e WHERE e.position IS NULL ORDER BY e.id LIMIT 1)), 0)::double precision
    FROM event_followers f CROSS JOIN event_sequencer s
$$;
-- +goose StatementEnd

-- The processes of an earlier release may go on beside those of this one, with what
-- they know: sequence_events, whose lock makes all of them take turns, follow_events,
-- and the positions in event_followers.
REVOKE EXECUTE ON FUNCTION relay_beat(uuid, text, double precision, smallint[]),
    sequence_events_of_leader(uuid, integer), events_between(bigint, bigint, smallint[], bigint, text[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION relay_beat(uuid, text, double precision, smallint[]),
    sequence_events_of_leader(uuid, integer), events_between(bigint, bigint, smallint[], bigint, text[]) TO waybill_app;
