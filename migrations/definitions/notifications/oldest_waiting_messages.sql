-- For how many seconds the oldest message of each channel has waited that should have gone.
-- One without an answer rests first, so that a report can settle it.
CREATE OR REPLACE FUNCTION oldest_waiting_messages(at timestamptz) RETURNS TABLE (channel text, seconds double precision)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp
AS $$
    SELECT c.channel, coalesce(extract(epoch FROM oldest_waiting_messages.at - min(d.due)), 0)::double precision
    FROM (VALUES ('EMAIL'), ('SMS')) c (channel)
    LEFT JOIN (
        SELECT n.channel, greatest(n.created_at, n.send_window_from)
            + CASE WHEN n.unanswered > 0 THEN interval '40 minutes' ELSE interval '0' END AS due
        FROM notifications n WHERE n.status IN ('queued', 'job_dequeued')
    ) d ON d.channel = c.channel AND d.due < oldest_waiting_messages.at
    GROUP BY c.channel
$$;

REVOKE EXECUTE ON FUNCTION oldest_waiting_messages FROM PUBLIC;
GRANT EXECUTE ON FUNCTION oldest_waiting_messages TO waybill_app;
