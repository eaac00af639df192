-- Locks an order and returns what decides about a report for it: its state and what was said,
-- scanned, exchanged and missing before. The order is locked first and read after that, so that
-- of two simultaneous reports the second sees the first.
CREATE OR REPLACE FUNCTION lock_driven(org bigint, wanted bigint) RETURNS TABLE (
    number text, status_id smallint, driver_id bigint, created_at timestamptz, begun boolean, given_to bigint, facts jsonb)
    LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan
AS $$
BEGIN
    PERFORM FROM orders o WHERE o.org_id = org AND o.id = wanted FOR NO KEY UPDATE;
    RETURN QUERY
    SELECT o.number, o.status_id, coalesce(o.driver_id, 0), o.created_at, g.order_id IS NOT NULL, coalesce(g.given_to, 0),
        coalesce((SELECT jsonb_agg(x.fact) FROM (
            SELECT jsonb_build_object('id', a.id, 'type', a.type, 'stop', s.kind, 'driver', a.driver_id,
                'at', a.occurred_at, 'clock', a.device_at, 'undoes', a.undoes, 'reason', a.reason,
                'products', a.data -> 'products', 'nothing', a.nothing, 'scans', a.data -> 'scans') AS fact
            FROM driver_actions a LEFT JOIN order_stops s ON s.org_id = a.org_id AND s.id = a.stop_id
            WHERE a.org_id = org AND a.order_id = wanted AND a.outcome <> 'REJECTED'
                AND a.type IN ('ARRIVE', 'PICK_UP', 'REPORT_MISSING', 'DELIVER', 'FAIL', 'UNDO', 'SCAN',
                    'EXCHANGE_CARGO_CARRIERS')
            UNION ALL
            SELECT jsonb_build_object('id', m.id::text, 'type', m.source, 'stop', m.stop, 'driver', m.driver_id, 'at', m.at,
                'to', m.status_id, 'corrects', m.corrects, 'reason', m.reason)
            FROM order_moves m WHERE m.org_id = org AND m.order_id = wanted) x), '[]')
    FROM orders o LEFT JOIN order_progress g ON g.org_id = o.org_id AND g.order_id = o.id
    WHERE o.org_id = org AND o.id = wanted;
END
$$;
