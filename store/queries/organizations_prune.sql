-- Records that are no longer in the document are deleted if nothing refers to
-- them, and deactivated otherwise. Records made by users and keys stay. Add new
-- tables with references to these here.

-- name: PruneDepartments :execrows
-- A department with customers, drivers, orders, users, plans or rules of alerts stays.
DELETE FROM departments t
WHERE t.org_id = @org_id AND t.source = 'document'
    AND NOT lower(t.name) IN (SELECT lower(k.name) FROM (SELECT unnest(@names::text[]) AS name) k)
  AND NOT EXISTS (SELECT FROM customers c WHERE c.org_id = t.org_id AND c.department_id = t.id)
  AND NOT EXISTS (SELECT FROM drivers d WHERE d.org_id = t.org_id AND d.department_id = t.id)
  AND NOT EXISTS (SELECT FROM orders o WHERE o.org_id = t.org_id AND o.department_id = t.id)
  AND NOT EXISTS (SELECT FROM users u WHERE u.org_id = t.org_id AND u.department_id = t.id)
  AND NOT EXISTS (SELECT FROM plans p WHERE p.org_id = t.org_id AND p.department_id = t.id)
  AND NOT EXISTS (SELECT FROM alert_rules r WHERE r.org_id = t.org_id AND r.department_id = t.id);

-- name: PruneCalendars :one
WITH doomed AS (
    SELECT t.id,
        EXISTS (SELECT FROM departments d WHERE d.org_id = t.org_id AND d.calendar_id = t.id)
        OR EXISTS (SELECT FROM customers c WHERE c.org_id = t.org_id AND c.calendar_id = t.id)
        OR EXISTS (SELECT FROM locations l WHERE l.org_id = t.org_id AND l.calendar_id = t.id) AS used
    FROM calendars t
    WHERE t.org_id = @org_id AND t.source = 'document'
        AND NOT lower(t.name) IN (SELECT lower(k.name) FROM (SELECT unnest(@names::text[]) AS name) k)
)
SELECT prune('calendars', @org_id, array_agg(d.id) FILTER (WHERE NOT d.used),
    array_agg(d.id) FILTER (WHERE d.used))::bigint AS removed
FROM doomed d;

-- name: PruneCustomers :one
WITH doomed AS (
    SELECT t.id, EXISTS (
            SELECT FROM orders o WHERE o.org_id = t.org_id
                AND (o.customer_id = t.id OR o.consignee_id = t.id OR o.consignor_id = t.id)
        ) OR EXISTS (
            SELECT FROM freights f WHERE f.org_id = t.org_id AND (f.consignee_id = t.id OR f.consignor_id = t.id)
        ) OR EXISTS (SELECT FROM recurring_orders r WHERE r.org_id = t.org_id AND r.customer_id = t.id)
        OR EXISTS (SELECT FROM cargo_carrier_accounts a WHERE a.org_id = t.org_id AND a.customer_id = t.id) AS used
    FROM customers t
    WHERE t.org_id = @org_id AND t.source = 'document'
      AND (t.external_id = ANY (@external_ids::text[])) IS NOT TRUE
      AND (t.external_id IS NULL
          AND lower(t.business_name) IN (
              SELECT lower(k.name) FROM (SELECT unnest(@names::text[]) AS name) k)) IS NOT TRUE
)
SELECT prune('customers', @org_id, array_agg(d.id) FILTER (WHERE NOT d.used),
    array_agg(d.id) FILTER (WHERE d.used))::bigint AS removed
FROM doomed d;

-- name: PruneVehicleTypes :one
WITH doomed AS (
    SELECT t.id,
        EXISTS (SELECT FROM orders o WHERE o.org_id = t.org_id AND o.vehicle_type_id = t.id)
        OR EXISTS (SELECT FROM recurring_orders r WHERE r.org_id = t.org_id AND r.vehicle_type_id = t.id)
        OR EXISTS (SELECT FROM vehicles v WHERE v.org_id = t.org_id AND v.vehicle_type_id = t.id) AS used
    FROM vehicle_types t
    WHERE t.org_id = @org_id AND t.source = 'document'
        AND NOT lower(t.name) IN (SELECT lower(k.name) FROM (SELECT unnest(@names::text[]) AS name) k)
)
SELECT prune('vehicle_types', @org_id, array_agg(d.id) FILTER (WHERE NOT d.used),
    array_agg(d.id) FILTER (WHERE d.used))::bigint AS removed
FROM doomed d;

-- name: PruneOrderTypes :one
WITH doomed AS (
    SELECT t.id,
        EXISTS (SELECT FROM orders o WHERE o.org_id = t.org_id AND o.order_type_id = t.id)
        OR EXISTS (SELECT FROM recurring_orders r WHERE r.org_id = t.org_id AND r.order_type_id = t.id)
        OR EXISTS (SELECT FROM schedule_interval_order_types i WHERE i.org_id = t.org_id AND i.order_type_id = t.id)
        OR EXISTS (SELECT FROM price_list_order_types p WHERE p.org_id = t.org_id AND p.order_type_id = t.id) AS used
    FROM order_types t
    WHERE t.org_id = @org_id AND t.source = 'document'
        AND NOT lower(t.name) IN (SELECT lower(k.name) FROM (SELECT unnest(@names::text[]) AS name) k)
)
SELECT prune('order_types', @org_id, array_agg(d.id) FILTER (WHERE NOT d.used),
    array_agg(d.id) FILTER (WHERE d.used))::bigint AS removed
FROM doomed d;

-- name: PruneSkills :one
WITH doomed AS (
    SELECT t.id,
        EXISTS (SELECT FROM stop_skills s WHERE s.org_id = t.org_id AND s.skill_id = t.id)
        OR EXISTS (SELECT FROM order_product_skills s WHERE s.org_id = t.org_id AND s.skill_id = t.id)
        OR EXISTS (SELECT FROM product_skills s WHERE s.org_id = t.org_id AND s.skill_id = t.id)
        OR EXISTS (SELECT FROM driver_skills s WHERE s.org_id = t.org_id AND s.skill_id = t.id)
        OR EXISTS (SELECT FROM vehicle_skills s WHERE s.org_id = t.org_id AND s.skill_id = t.id) AS used
    FROM skills t
    WHERE t.org_id = @org_id AND t.source = 'document'
        AND NOT lower(t.name) IN (SELECT lower(k.name) FROM (SELECT unnest(@names::text[]) AS name) k)
)
SELECT prune('skills', @org_id, array_agg(d.id) FILTER (WHERE NOT d.used),
    array_agg(d.id) FILTER (WHERE d.used))::bigint AS removed
FROM doomed d;

-- name: PruneGroups :one
WITH doomed AS (
    SELECT t.id,
        EXISTS (SELECT FROM order_group_members m WHERE m.org_id = t.org_id AND m.group_id = t.id) AS used
    FROM order_groups t
    WHERE t.org_id = @org_id AND t.source = 'document'
        AND NOT lower(t.name) IN (SELECT lower(k.name) FROM (SELECT unnest(@names::text[]) AS name) k)
)
SELECT prune('order_groups', @org_id, array_agg(d.id) FILTER (WHERE NOT d.used),
    array_agg(d.id) FILTER (WHERE d.used))::bigint AS removed
FROM doomed d;

-- name: PruneCustomFields :one
WITH doomed AS (
    SELECT t.id, t.was_used AS used
    FROM custom_field_definitions t
    WHERE t.org_id = @org_id AND t.source = 'document' AND NOT t.external_id = ANY (@external_ids::text[])
)
SELECT prune('custom_field_definitions', @org_id, array_agg(d.id) FILTER (WHERE NOT d.used),
    array_agg(d.id) FILTER (WHERE d.used))::bigint AS removed
FROM doomed d;

-- name: PruneNotificationRules :one
WITH doomed AS (
    SELECT t.id,
        EXISTS (SELECT FROM notifications n WHERE n.org_id = t.org_id AND n.rule_id = t.id) AS used
    FROM notification_rules t
    WHERE t.org_id = @org_id AND t.source = 'document' AND NOT EXISTS (
        SELECT FROM (SELECT unnest(@events::text[]) AS event, unnest(@channels::text[]) AS channel,
            unnest(@receivers::text[]) AS receiver, unnest(@addresses::text[]) AS address) k
        WHERE (t.event, t.channel, t.receiver, t.address) = (k.event, k.channel, k.receiver, k.address))
)
SELECT prune('notification_rules', @org_id, array_agg(d.id) FILTER (WHERE NOT d.used),
    array_agg(d.id) FILTER (WHERE d.used))::bigint AS removed
FROM doomed d;
