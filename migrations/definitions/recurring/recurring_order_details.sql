-- Templates as they are read, with the places that they were saved with and what is promised.
CREATE OR REPLACE VIEW recurring_order_details WITH (security_invoker = true) AS
SELECT r.org_id, r.id, r.name, r.customer_id, r.order_type_id, r.vehicle_type_id, r.pickup_location_id, r.delivery_location_id,
    r.order_template, r.rruleset, r.start_date, r.end_date, r.days_to_generate_ahead, r.is_active, r.is_paused, r.version,
    r.applied_from, r.generated_count, r.generated_through, r.last_generated_at, r.next_run_at, r.last_error, r.created_at,
    r.updated_at, o.timezone, location_place(p) AS pickup_place, location_place(d) AS delivery_place,
    (SELECT count(*) FROM recurring_occurrences c JOIN drafts x ON x.org_id = c.org_id AND x.external_id = c.number
     WHERE c.org_id = r.org_id AND c.recurring_order_id = r.id AND x.state = 'incomplete') AS draft_count,
    r.applied_to, r.announced
FROM recurring_orders r
JOIN organizations o ON o.id = r.org_id
JOIN locations p ON p.org_id = r.org_id AND p.id = r.pickup_location_id
JOIN locations d ON d.org_id = r.org_id AND d.id = r.delivery_location_id;

GRANT SELECT ON recurring_order_details TO waybill_app;
