CREATE OR REPLACE VIEW v2_order_types WITH (security_invoker = true) AS
SELECT t.org_id, t.id, t.name, t.priority, clock_text(t.ready_from) AS ready_from,
    clock_text(t.pick_up_before) AS pick_up_before, clock_text(t.deliver_before) AS deliver_before,
    t.is_active, t.min_book_ahead_minutes, t.max_book_ahead_minutes
FROM order_types t;

GRANT SELECT ON v2_order_types TO waybill_app;
