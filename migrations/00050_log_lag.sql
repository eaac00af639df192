-- +goose Up
-- How far behind the log's work is, for the metrics: numbers only.
-- +goose StatementBegin
CREATE FUNCTION log_lag() RETURNS TABLE (follower text, behind bigint, waiting double precision)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp
AS $$
    SELECT f.name, s.last_position - f.position, coalesce(extract(epoch FROM clock_timestamp() - (
        SELECT e.occurred_at FROM events e WHERE e.position IS NULL ORDER BY e.id LIMIT 1)), 0)::double precision
    FROM event_followers f CROSS JOIN event_sequencer s
$$;
-- +goose StatementEnd
REVOKE EXECUTE ON FUNCTION log_lag() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION log_lag() TO waybill_app;
