-- +goose Up
-- What the person on call asks about all organizations together. Neither function
-- returns anything that an organization keeps: they count.

-- Messages that should have gone by a moment, events that followers left out, webhook
-- endpoints that rest, and organizations.
-- +goose StatementBegin
CREATE FUNCTION installation_health(at timestamptz, OUT messages_waiting bigint, OUT oldest_message timestamptz,
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

-- How many events each organization caused since a moment, by kind, and how many bytes
-- they take. It looks at no more than the newest events, so that it is quick whatever
-- happens; is_whole says whether these reach back to the moment. An organization of 0
-- is all of them.
CREATE FUNCTION activity_since(since timestamptz, organization bigint, most integer)
RETURNS TABLE (org_id bigint, slug text, kind text, events bigint, bytes bigint, is_whole boolean)
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp SET jit = off
    SET enable_seqscan = off SET enable_sort = off
AS $$
BEGIN
    RETURN QUERY
    WITH newest AS MATERIALIZED (
        SELECT e.org_id, e.kind, e.recorded_at, pg_column_size(e.*) AS size FROM events e
        WHERE e.kind <> '' AND e.position IS NOT NULL
          AND e.recorded_at >= activity_since.since - interval '5 minutes'
        ORDER BY e.position DESC LIMIT activity_since.most
    )
    SELECT n.org_id, o.slug, n.kind, count(*), sum(n.size)::bigint,
        (SELECT count(*) < activity_since.most FROM newest)
    FROM newest n JOIN organizations o ON o.id = n.org_id
    WHERE n.recorded_at >= activity_since.since AND activity_since.organization IN (0, n.org_id)
    GROUP BY n.org_id, o.slug, n.kind;
END
$$;
-- +goose StatementEnd
REVOKE EXECUTE ON FUNCTION installation_health(timestamptz), activity_since(timestamptz, bigint, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION installation_health(timestamptz), activity_since(timestamptz, bigint, integer) TO waybill_app;
