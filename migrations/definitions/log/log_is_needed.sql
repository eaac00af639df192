-- Whether somebody still needs an event of a partition up to a position: a follower of
-- the log that has not taken it, a webhook endpoint that has not come to it, or one that
-- tries it again.
CREATE OR REPLACE FUNCTION log_is_needed(part regclass, upto bigint) RETURNS boolean
    LANGUAGE plpgsql STABLE SET search_path = public, pg_temp
AS $$
DECLARE
    needed boolean;
BEGIN
    IF upto > (SELECT min(s.last_position - l.behind) FROM log_lag() l CROSS JOIN event_sequencer s) THEN
        RETURN true;
    END IF;
    EXECUTE format('SELECT EXISTS (
        SELECT FROM webhook_endpoints w CROSS JOIN LATERAL (
            SELECT FROM %1$s e
            WHERE e.org_id = w.org_id AND e.position >= w.position AND e.position <= $1 AND e.order_status_id IS NOT NULL
              AND e.position IS NOT NULL
              AND (e.position > w.position OR w.place < coalesce(jsonb_array_length(e.data -> ''numbers''), 1))
            LIMIT 1) e
        WHERE w.is_active AND w.deleted_at IS NULL
    ) OR EXISTS (
        SELECT FROM webhook_deliveries d JOIN webhook_endpoints w ON w.org_id = d.org_id AND w.id = d.endpoint_id
        JOIN %1$s e ON e.org_id = d.org_id AND e.position = d.position AND e.order_status_id IS NOT NULL
        WHERE d.next_at IS NOT NULL AND d.position <= $1 AND w.is_active AND w.deleted_at IS NULL)', part)
    INTO needed USING upto;
    RETURN needed;
END
$$;

REVOKE EXECUTE ON FUNCTION log_is_needed FROM PUBLIC;
