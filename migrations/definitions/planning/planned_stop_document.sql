-- When a stop is served, as JSON, with its present ETA; null while it is in no route.
CREATE OR REPLACE FUNCTION planned_stop_document(org bigint, order_id bigint, kind text) RETURNS jsonb
    LANGUAGE sql STABLE PARALLEL SAFE
AS $$
    SELECT jsonb_build_object('sequence', p.seq, 'arrivesAt', iso_utc(p.arrives_at), 'startsAt', iso_utc(p.starts_at),
        'leavesAt', iso_utc(p.leaves_at), 'eta', iso_utc(coalesce(e.eta, p.eta)))
    FROM plan_stops p
    LEFT JOIN live_etas e ON e.org_id = p.org_id AND e.order_id = p.order_id AND e.kind = p.kind AND e.driver_id = p.driver_id
    WHERE p.org_id = org AND p.order_id = planned_stop_document.order_id AND p.kind = planned_stop_document.kind
$$;
