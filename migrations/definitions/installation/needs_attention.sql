-- How many things of all organizations wait for a person, by kind. Each kind has a row, also
-- when there is none.
CREATE OR REPLACE FUNCTION needs_attention(at timestamptz) RETURNS TABLE (kind text, counted bigint)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp
AS $$
    SELECT 'export_pending', count(*) FROM order_exports e
    WHERE e.state = 'pending' AND e.updated_at < needs_attention.at - interval '4 hours'
    UNION ALL
    SELECT 'webhook_failing', count(*) FROM webhook_endpoints w
    WHERE w.is_active AND w.deleted_at IS NULL AND w.failing_since < needs_attention.at - interval '30 minutes'
    UNION ALL
    SELECT 'webhook_switched_off', count(*) FROM webhook_endpoints w
    WHERE NOT w.is_active AND w.deleted_at IS NULL AND w.off_reason IN ('FAILING', 'GONE')
      AND w.off_at > needs_attention.at - interval '24 hours'
    UNION ALL
    SELECT 'template_failing', count(*) FROM recurring_orders r
    WHERE r.is_active AND NOT r.is_paused AND NOT r.is_complete AND r.last_error IS NOT NULL
    UNION ALL
    SELECT 'order_left_over', count(*)
    FROM plans p JOIN organizations o ON o.id = p.org_id
    JOIN plan_unplanned u ON u.org_id = p.org_id AND u.plan_id = p.id
    CROSS JOIN LATERAL (SELECT (needs_attention.at AT TIME ZONE o.timezone)::date AS today) t
    WHERE p.day BETWEEN t.today - 1 AND t.today AND u.since < needs_attention.at - interval '30 minutes'
      AND (p.day = t.today OR EXISTS (SELECT FROM order_stops s
          WHERE s.org_id = u.org_id AND s.order_id = u.order_id AND s.kind = 'pickup' AND s.latest > needs_attention.at))
    UNION ALL
    SELECT 'carrier_refused', count(DISTINCT (c.org_id, c.carrier)) FROM refused_carrier_updates c
    WHERE c.refused_at > needs_attention.at - interval '1 hour'
    UNION ALL
    SELECT 'driver_silent', count(*) FROM exceptions x
    WHERE x.kind = 'SILENT_DRIVER' AND x.resolved_at IS NULL AND x.opened_at > needs_attention.at - interval '24 hours'
$$;

REVOKE EXECUTE ON FUNCTION needs_attention FROM PUBLIC;
GRANT EXECUTE ON FUNCTION needs_attention TO waybill_app;
