-- Messages that should have gone by a moment, events that followers left out, webhook
-- endpoints that rest, and organizations.
CREATE OR REPLACE FUNCTION installation_health(at timestamptz, OUT messages_waiting bigint, OUT oldest_message timestamptz,
    OUT events_parked bigint, OUT last_parked timestamptz, OUT endpoints_resting bigint, OUT organizations bigint)
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp
AS $$
BEGIN
    SELECT count(*), min(coalesce(n.send_window_from, n.created_at)) INTO messages_waiting, oldest_message
    FROM notifications n
    WHERE n.status IN ('queued', 'job_dequeued')
      AND coalesce(n.send_window_from, n.created_at) <= installation_health.at;
    SELECT count(*), max(p.parked_at) INTO events_parked, last_parked FROM parked_events p;
    SELECT count(*) INTO endpoints_resting FROM webhook_endpoints w
    WHERE w.is_active AND w.deleted_at IS NULL AND w.resting_until > installation_health.at;
    SELECT count(*) INTO organizations FROM organizations o WHERE o.closed_at IS NULL;
END
$$;

REVOKE EXECUTE ON FUNCTION installation_health FROM PUBLIC;
GRANT EXECUTE ON FUNCTION installation_health TO waybill_app;
