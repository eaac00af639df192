-- Returns how far behind the followers of the log are, for the metrics: only numbers. A follower
-- is as far as the last of its shards. An event waits from the time when it was written.
CREATE OR REPLACE FUNCTION log_lag() RETURNS TABLE (follower text, behind bigint, waiting double precision)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp
AS $$
    SELECT f.name, s.last_position - (SELECT min(coalesce(c.position, f.position)) FROM relay_shards r
        LEFT JOIN event_cursors c ON c.follower = f.name AND c.shard = r.shard),
        coalesce(extract(epoch FROM clock_timestamp() - (
            SELECT e.recorded_at FROM events e WHERE e.position IS NULL ORDER BY e.id LIMIT 1)), 0)::double precision
    FROM event_followers f CROSS JOIN event_sequencer s
$$;

REVOKE EXECUTE ON FUNCTION log_lag FROM PUBLIC;
GRANT EXECUTE ON FUNCTION log_lag TO waybill_app;
