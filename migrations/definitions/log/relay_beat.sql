-- Renews the lease of a member, or has it join, and shares out what nobody holds: the
-- lead, and shards up to a fair share. What is answered is what the member holds from
-- now on. Nobody waits for long for a lock: what a transaction of a lost member has in
-- use is had at the next beat.
CREATE OR REPLACE FUNCTION relay_beat(member uuid, member_name text, lease double precision, given_up smallint[])
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

REVOKE EXECUTE ON FUNCTION relay_beat FROM PUBLIC;
GRANT EXECUTE ON FUNCTION relay_beat TO waybill_app;
