-- Returns rows of one kind, of all organizations, that have needed a running workflow since
-- before a moment, such as active webhook endpoints and resendings, after one of them. It returns
-- only what names the workflow: id is that of the row, and the rest is what its kind needs in
-- addition. A template that owes something, or is active and incomplete, counts even while it is
-- paused. A route that was ended right after midnight counts as ended, also east of Greenwich.
CREATE OR REPLACE FUNCTION living(kind text, quiet_since timestamptz, after_org bigint, after_id bigint, batch integer)
RETURNS TABLE (org_id bigint, id bigint, day date, other bigint, name text, event text, channel text, key text)
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp
    SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off
AS $$
#variable_conflict use_column
BEGIN
    CASE living.kind
    WHEN 'template' THEN RETURN QUERY
        SELECT r.org_id, r.id, NULL::date, 0::bigint, '', '', '', '' FROM recurring_orders r
        WHERE (r.org_id, r.id) > (after_org, after_id)
          AND (r.is_active AND NOT r.is_complete OR r.owes) AND r.updated_at < quiet_since
        ORDER BY r.org_id, r.id LIMIT batch;
    WHEN 'export' THEN RETURN QUERY
        SELECT e.org_id, e.order_id, NULL::date, 0::bigint, o.number, '', '', ''
        FROM order_exports e JOIN orders o ON o.org_id = e.org_id AND o.id = e.order_id
        WHERE (e.org_id, e.order_id) > (after_org, after_id) AND e.state <> 'closed' AND e.updated_at < quiet_since
        ORDER BY e.org_id, e.order_id LIMIT batch;
    WHEN 'message' THEN RETURN QUERY
        SELECT n.org_id, n.id, NULL::date, coalesce(n.order_id, 0), n.workflow_id, n.event, n.channel, n.key
        FROM notifications n
        WHERE (n.org_id, n.id) > (after_org, after_id) AND n.status IN ('queued', 'job_dequeued') AND n.updated_at < quiet_since
        ORDER BY n.org_id, n.id LIMIT batch;
    WHEN 'plan' THEN RETURN QUERY
        SELECT p.org_id, p.id, p.day, coalesce(p.department_id, 0), '', '', '', ''
        FROM plans p JOIN organizations o ON o.id = p.org_id
        WHERE (p.org_id, p.id) > (after_org, after_id) AND p.updated_at < quiet_since
          AND p.day >= (quiet_since AT TIME ZONE o.timezone)::date
          AND (EXISTS (SELECT FROM plan_routes r WHERE r.org_id = p.org_id AND r.plan_id = p.id)
            OR EXISTS (SELECT FROM plan_unplanned u WHERE u.org_id = p.org_id AND u.plan_id = p.id))
        ORDER BY p.org_id, p.id LIMIT batch;
    WHEN 'drive' THEN RETURN QUERY
        SELECT y.org_id, y.driver_id, y.day, 0::bigint, '', '', '', ''
        FROM organizations o
        CROSS JOIN LATERAL (SELECT (quiet_since AT TIME ZONE o.timezone)::date AS today) t
        CROSS JOIN LATERAL (
            SELECT d.org_id, d.driver_id, max(d.day) AS day FROM drivers v JOIN driver_days d
                ON d.org_id = v.org_id AND d.driver_id = v.id AND d.day BETWEEN t.today - 1 AND t.today
            WHERE v.org_id = o.id AND d.started_at < quiet_since
            GROUP BY d.org_id, d.driver_id) y
        CROSS JOIN LATERAL drive_day(y.org_id, y.driver_id, y.day) x
        WHERE (y.org_id, y.driver_id) > (after_org, after_id) AND x.ended_at < '0001-01-02 00:00:00+00' AND x.until > quiet_since
        ORDER BY y.org_id, y.driver_id LIMIT batch;
    WHEN 'simulation' THEN RETURN QUERY
        SELECT s.org_id, s.id, s.day, s.pace::bigint, '', '', '', '' FROM sandbox_runs s
        WHERE (s.org_id, s.id) > (after_org, after_id) AND s.state = 'RUNNING' AND s.started_at < quiet_since
        ORDER BY s.org_id, s.id LIMIT batch;
    WHEN 'webhook' THEN RETURN QUERY
        SELECT w.org_id, w.id, NULL::date, 0::bigint, '', '', '', '' FROM webhook_endpoints w
        WHERE (w.org_id, w.id) > (after_org, after_id) AND w.is_active AND w.deleted_at IS NULL AND w.updated_at < quiet_since
        ORDER BY w.org_id, w.id LIMIT batch;
    WHEN 'resending' THEN RETURN QUERY
        SELECT s.org_id, s.id, NULL::date, 0::bigint, '', '', '', '' FROM resendings s
        WHERE (s.org_id, s.id) > (after_org, after_id) AND s.state = 'RUNNING' AND s.updated_at < quiet_since
        ORDER BY s.org_id, s.id LIMIT batch;
    WHEN 'places' THEN RETURN QUERY
        SELECT w.org_id, 0::bigint, NULL::date, 0::bigint, '', '', '', '' FROM place_work w
        WHERE (w.org_id, 0::bigint) > (after_org, after_id) AND w.wanted > w.done AND w.updated_at < quiet_since
        ORDER BY w.org_id LIMIT batch;
    WHEN 'addresses' THEN RETURN QUERY
        -- those of 'places', and organizations with an order whose address a geocoding provider may be asked for
        SELECT o.id, 0::bigint, NULL::date, 0::bigint, '', '', '', ''
        FROM organizations o LEFT JOIN place_work w ON w.org_id = o.id
        WHERE (o.id, 0::bigint) > (after_org, after_id) AND coalesce(w.updated_at < quiet_since, true)
          AND (w.wanted > w.done OR o.ask_geocoder AND o.closed_at IS NULL AND EXISTS (
            SELECT FROM order_stops s JOIN orders r ON r.org_id = s.org_id AND r.id = s.order_id
            LEFT JOIN place_answers a ON a.org_id = s.org_id AND a.key = decode(s.position ->> 'place', 'hex')
            WHERE s.org_id = o.id AND s.position ->> 'precision' IN ('POSTAL_CODE', 'CITY', 'UNKNOWN')
              AND s.position ->> 'place' <> '' AND r.date >= (quiet_since - interval '6 days')::date
              AND (r.status_id <= 3 OR r.status_id <= 5 AND s.kind = 'delivery')
              AND (a.answered_at IS NULL OR a.expires_at <= now())))
        ORDER BY o.id LIMIT batch;
    WHEN 'learning' THEN RETURN QUERY
        -- organizations whose drivers have driven of late, and who learn from that
        SELECT o.id, 0::bigint, NULL::date, 0::bigint, '', '', '', ''
        FROM organizations o
        WHERE (o.id, 0::bigint) > (after_org, after_id) AND o.learn_travel <> 'OFF' AND o.closed_at IS NULL
          AND EXISTS (SELECT FROM drivers v JOIN driver_days y ON y.org_id = v.org_id AND y.driver_id = v.id
            AND y.day >= (quiet_since - interval '14 days')::date
            WHERE v.org_id = o.id AND y.started_at < quiet_since)
        ORDER BY o.id LIMIT batch;
    END CASE;
END
$$;

REVOKE EXECUTE ON FUNCTION living FROM PUBLIC;
GRANT EXECUTE ON FUNCTION living TO waybill_app;
