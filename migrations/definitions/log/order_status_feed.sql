-- The feed says why an order failed, in the words of its driver, its carrier or the
-- office, which are read where they are kept. An order that is at a stop names it.
CREATE OR REPLACE VIEW order_status_feed WITH (security_invoker = true) AS
SELECT e.org_id, e.position, n.place, n.place = coalesce(jsonb_array_length(e.data -> 'numbers'), 1) AS is_last,
    e.order_id, n.number AS external_id, e.order_status_id, s.name AS status,
    coalesce(e.occurred_at, e.recorded_at) AS occurred_at, e.driver_id,
    coalesce(e.stop, CASE e.order_status_id WHEN 3 THEN 'pickup' WHEN 5 THEN 'delivery' END) AS stop,
    CASE WHEN e.kind IN ('order.planned', 'order.eta_changed') THEN (e.data ->> 'delivery')::timestamptz END AS eta, e.kind,
    CASE WHEN e.order_status_id = 7 THEN coalesce(
        (SELECT a.reason FROM driver_actions a WHERE a.org_id = e.org_id AND a.id = (e.data ->> 'action')::uuid),
        (SELECT u.failure_reason FROM external_updates u WHERE u.org_id = e.org_id AND u.id = (e.data ->> 'report')::bigint),
        (SELECT d.comment FROM order_documentations d WHERE d.org_id = e.org_id AND d.order_id = e.order_id
            AND d.type = 'failure' AND e.data -> 'notes' @> to_jsonb(d.id))) END AS reason,
    CASE WHEN e.order_status_id = 7 THEN coalesce(
        (SELECT a.comment FROM driver_actions a WHERE a.org_id = e.org_id AND a.id = (e.data ->> 'action')::uuid),
        (SELECT d.comment FROM order_documentations d WHERE d.org_id = e.org_id AND d.order_id = e.order_id
            AND d.type = 'comment' AND e.data -> 'notes' @> to_jsonb(d.id))) END AS comment
FROM events e JOIN order_statuses s ON s.id = e.order_status_id
CROSS JOIN LATERAL jsonb_array_elements_text(coalesce(e.data -> 'numbers', jsonb_build_array(e.external_id)))
    WITH ORDINALITY AS n (number, place)
WHERE e.position IS NOT NULL AND e.order_status_id IS NOT NULL;

GRANT SELECT ON order_status_feed TO waybill_app;
