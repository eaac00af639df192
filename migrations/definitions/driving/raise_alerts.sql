-- Raises alerts by rules, in this sequence, with their events; 0 and the empty text stand for none. Alerts that last are not
-- raised again. An alert is sent to the addresses of its rule unless that would be more than most_emails messages in an hour.
-- A rule with a webhook adds an event to the feed of orders.
CREATE OR REPLACE FUNCTION raise_alerts(
    org bigint, rules bigint[], drivers bigint[], orders bigint[], stops text[], exceptions bigint[], minutes bigint[],
    ats timestamptz[], days date[], most_emails bigint
) RETURNS void LANGUAGE sql
AS $$
WITH causes AS (
    SELECT x.place, x.rule_id, nullif(x.driver_id, 0) AS driver_id, nullif(x.order_id, 0) AS order_id, nullif(x.stop, '') AS stop,
        nullif(x.exception_id, 0) AS exception_id, nullif(x.minutes, 0) AS minutes, x.at, x.day
    FROM unnest(raise_alerts.rules, raise_alerts.drivers, raise_alerts.orders, raise_alerts.stops, raise_alerts.exceptions,
        raise_alerts.minutes, raise_alerts.ats, raise_alerts.days)
        WITH ORDINALITY AS x (rule_id, driver_id, order_id, stop, exception_id, minutes, at, day, place)
), wanted AS (
    SELECT c.*, r.kind, r.channels, r.emails, (
            SELECT coalesce(sum(cardinality(a.emails)), 0) FROM alerts a
            WHERE a.org_id = raise_alerts.org AND a.raised_at > now() - interval '1 hour' AND a.emails <> '{}'
        ) + sum(cardinality(r.emails)) OVER (ORDER BY c.place) AS mailed
    FROM causes c JOIN alert_rules r ON r.org_id = raise_alerts.org AND r.id = c.rule_id AND r.is_active
    WHERE NOT EXISTS (
        SELECT FROM alerts a
        WHERE a.org_id = raise_alerts.org AND a.rule_id = c.rule_id AND a.day = c.day AND a.resolved_at IS NULL
          AND a.driver_id IS NOT DISTINCT FROM c.driver_id AND a.order_id IS NOT DISTINCT FROM c.order_id
          AND a.stop IS NOT DISTINCT FROM c.stop AND a.exception_id IS NOT DISTINCT FROM c.exception_id
    )
), raised AS (
    INSERT INTO alerts (org_id, rule_id, kind, channels, emails, day, driver_id, order_id, stop, exception_id, minutes, at)
    SELECT raise_alerts.org, w.rule_id, w.kind, w.channels,
        CASE WHEN w.mailed <= raise_alerts.most_emails THEN w.emails ELSE '{}' END,
        w.day, w.driver_id, w.order_id, w.stop, w.exception_id, w.minutes, w.at
    FROM wanted w ORDER BY w.place
    ON CONFLICT DO NOTHING
    RETURNING id, rule_id, kind, channels, emails, day, driver_id, order_id, stop
)
INSERT INTO events (org_id, kind, subject_type, subject_id, order_id, external_id, order_status_id, driver_id, stop, product_ids, data)
SELECT raise_alerts.org, e.kind, CASE WHEN e.order_id IS NULL THEN 'driver' ELSE 'order' END, coalesce(e.order_id, r.driver_id),
    e.order_id, coalesce(o.number, r.day::text), CASE WHEN e.is_public THEN o.status_id END, r.driver_id, e.stop,
    CASE WHEN e.is_public THEN '{}'::bigint[] END,
    jsonb_build_object('alert', r.id, 'rule', r.rule_id, 'kind', r.kind, 'emails', cardinality(r.emails))
FROM raised r
-- Integrators know orders: they are told of a driver by the order of the next stop.
LEFT JOIN LATERAL (
    SELECT x.order_id, x.kind FROM plan_stops x
    JOIN plans p ON p.org_id = x.org_id AND p.id = x.plan_id AND p.day = r.day
    LEFT JOIN order_progress g ON g.org_id = x.org_id AND g.order_id = x.order_id
    WHERE r.order_id IS NULL AND x.org_id = raise_alerts.org AND x.driver_id = r.driver_id
      AND coalesce(CASE x.kind WHEN 'pickup' THEN g.pickup_status ELSE g.delivery_status END, '') NOT IN ('completed', 'failed')
    ORDER BY x.seq LIMIT 1
) next ON true
CROSS JOIN LATERAL (VALUES
    ('alert.raised', false, r.order_id, r.stop),
    ('order.alerted', true, coalesce(r.order_id, next.order_id), coalesce(r.stop, next.kind))
) AS e (kind, is_public, order_id, stop)
LEFT JOIN orders o ON o.org_id = raise_alerts.org AND o.id = e.order_id
WHERE NOT e.is_public OR 'WEBHOOK' = ANY (r.channels) AND e.order_id IS NOT NULL
ORDER BY r.id, e.is_public;
$$;

REVOKE EXECUTE ON FUNCTION raise_alerts FROM PUBLIC;
GRANT EXECUTE ON FUNCTION raise_alerts TO waybill_app;
