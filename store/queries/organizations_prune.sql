-- What a document no longer has is deleted when nothing refers to it, and is
-- marked inactive otherwise. A table that comes to refer to one of these is
-- added here.

-- name: PruneDepartments :one
-- A department that customers or orders belong to stays.
WITH gone AS (
    DELETE FROM departments t
    WHERE t.org_id = @org_id AND NOT lower(t.name) IN (SELECT lower(k.name) FROM (SELECT unnest(@names::text[]) AS name) k)
      AND NOT EXISTS (SELECT FROM customers c WHERE c.org_id = t.org_id AND c.department_id = t.id)
      AND NOT EXISTS (SELECT FROM orders o WHERE o.org_id = t.org_id AND o.department_id = t.id)
    RETURNING t.id
)
SELECT count(*)::int AS deleted FROM gone;

-- name: PruneCustomers :one
WITH doomed AS (
    SELECT t.id, t.is_active, EXISTS (
            SELECT FROM orders o WHERE o.org_id = t.org_id AND (o.customer_id = t.id OR o.consignee_id = t.id OR o.consignor_id = t.id)
        ) OR EXISTS (
            SELECT FROM freights f WHERE f.org_id = t.org_id AND (f.consignee_id = t.id OR f.consignor_id = t.id)
        ) OR EXISTS (SELECT FROM recurring_orders r WHERE r.org_id = t.org_id AND r.customer_id = t.id) AS used
    FROM customers t
    WHERE t.org_id = @org_id
      AND (t.external_id = ANY (@external_ids::text[])) IS NOT TRUE
      AND (t.external_id IS NULL AND lower(t.business_name) IN (SELECT lower(k.name) FROM (SELECT unnest(@names::text[]) AS name) k)) IS NOT TRUE
), gone AS (
    DELETE FROM customers t USING doomed d WHERE t.org_id = @org_id AND t.id = d.id AND NOT d.used RETURNING t.id
), retired AS (
    UPDATE customers t SET is_active = false, updated_at = now() FROM doomed d
    WHERE t.org_id = @org_id AND t.id = d.id AND d.used AND d.is_active RETURNING t.id
)
SELECT (SELECT count(*) FROM gone)::int AS deleted, (SELECT count(*) FROM retired)::int AS deactivated;

-- name: PruneVehicleTypes :one
WITH doomed AS (
    SELECT t.id, t.is_active,
        EXISTS (SELECT FROM orders o WHERE o.org_id = t.org_id AND o.vehicle_type_id = t.id)
        OR EXISTS (SELECT FROM recurring_orders r WHERE r.org_id = t.org_id AND r.vehicle_type_id = t.id) AS used
    FROM vehicle_types t
    WHERE t.org_id = @org_id AND NOT lower(t.name) IN (SELECT lower(k.name) FROM (SELECT unnest(@names::text[]) AS name) k)
), gone AS (
    DELETE FROM vehicle_types t USING doomed d WHERE t.org_id = @org_id AND t.id = d.id AND NOT d.used RETURNING t.id
), retired AS (
    UPDATE vehicle_types t SET is_active = false FROM doomed d
    WHERE t.org_id = @org_id AND t.id = d.id AND d.used AND d.is_active RETURNING t.id
)
SELECT (SELECT count(*) FROM gone)::int AS deleted, (SELECT count(*) FROM retired)::int AS deactivated;

-- name: PruneOrderTypes :one
WITH doomed AS (
    SELECT t.id, t.is_active,
        EXISTS (SELECT FROM orders o WHERE o.org_id = t.org_id AND o.order_type_id = t.id)
        OR EXISTS (SELECT FROM recurring_orders r WHERE r.org_id = t.org_id AND r.order_type_id = t.id)
        OR EXISTS (SELECT FROM schedule_interval_order_types i WHERE i.org_id = t.org_id AND i.order_type_id = t.id)
        OR EXISTS (SELECT FROM price_list_order_types p WHERE p.org_id = t.org_id AND p.order_type_id = t.id) AS used
    FROM order_types t
    WHERE t.org_id = @org_id AND NOT lower(t.name) IN (SELECT lower(k.name) FROM (SELECT unnest(@names::text[]) AS name) k)
), gone AS (
    DELETE FROM order_types t USING doomed d WHERE t.org_id = @org_id AND t.id = d.id AND NOT d.used RETURNING t.id
), retired AS (
    UPDATE order_types t SET is_active = false FROM doomed d
    WHERE t.org_id = @org_id AND t.id = d.id AND d.used AND d.is_active RETURNING t.id
)
SELECT (SELECT count(*) FROM gone)::int AS deleted, (SELECT count(*) FROM retired)::int AS deactivated;

-- name: PruneSkills :one
WITH doomed AS (
    SELECT t.id, t.is_active,
        EXISTS (SELECT FROM stop_skills s WHERE s.org_id = t.org_id AND s.skill_id = t.id)
        OR EXISTS (SELECT FROM order_product_skills s WHERE s.org_id = t.org_id AND s.skill_id = t.id) AS used
    FROM skills t
    WHERE t.org_id = @org_id AND NOT lower(t.name) IN (SELECT lower(k.name) FROM (SELECT unnest(@names::text[]) AS name) k)
), gone AS (
    DELETE FROM skills t USING doomed d WHERE t.org_id = @org_id AND t.id = d.id AND NOT d.used RETURNING t.id
), retired AS (
    UPDATE skills t SET is_active = false FROM doomed d
    WHERE t.org_id = @org_id AND t.id = d.id AND d.used AND d.is_active RETURNING t.id
)
SELECT (SELECT count(*) FROM gone)::int AS deleted, (SELECT count(*) FROM retired)::int AS deactivated;

-- name: PruneGroups :one
WITH doomed AS (
    SELECT t.id, t.is_active,
        EXISTS (SELECT FROM order_group_members m WHERE m.org_id = t.org_id AND m.group_id = t.id) AS used
    FROM order_groups t
    WHERE t.org_id = @org_id AND NOT lower(t.name) IN (SELECT lower(k.name) FROM (SELECT unnest(@names::text[]) AS name) k)
), gone AS (
    DELETE FROM order_groups t USING doomed d WHERE t.org_id = @org_id AND t.id = d.id AND NOT d.used RETURNING t.id
), retired AS (
    UPDATE order_groups t SET is_active = false FROM doomed d
    WHERE t.org_id = @org_id AND t.id = d.id AND d.used AND d.is_active RETURNING t.id
)
SELECT (SELECT count(*) FROM gone)::int AS deleted, (SELECT count(*) FROM retired)::int AS deactivated;

-- name: PruneCustomFields :one
WITH doomed AS (
    SELECT t.id, t.is_active, t.was_used AS used
    FROM custom_field_definitions t
    WHERE t.org_id = @org_id AND NOT t.external_id = ANY (@external_ids::text[])
), gone AS (
    DELETE FROM custom_field_definitions t USING doomed d WHERE t.org_id = @org_id AND t.id = d.id AND NOT d.used RETURNING t.id
), retired AS (
    UPDATE custom_field_definitions t SET is_active = false, updated_at = now() FROM doomed d
    WHERE t.org_id = @org_id AND t.id = d.id AND d.used AND d.is_active RETURNING t.id
)
SELECT (SELECT count(*) FROM gone)::int AS deleted, (SELECT count(*) FROM retired)::int AS deactivated;

-- name: PruneNotificationRules :one
WITH doomed AS (
    SELECT t.id, t.is_active,
        EXISTS (SELECT FROM notifications n WHERE n.org_id = t.org_id AND n.rule_id = t.id) AS used
    FROM notification_rules t
    WHERE t.org_id = @org_id AND NOT EXISTS (
        SELECT FROM (SELECT unnest(@events::text[]) AS event, unnest(@channels::text[]) AS channel,
            unnest(@receivers::text[]) AS receiver, unnest(@addresses::text[]) AS address) k
        WHERE (t.event, t.channel, t.receiver, t.address) = (k.event, k.channel, k.receiver, k.address))
), gone AS (
    DELETE FROM notification_rules t USING doomed d WHERE t.org_id = @org_id AND t.id = d.id AND NOT d.used RETURNING t.id
), retired AS (
    UPDATE notification_rules t SET is_active = false FROM doomed d
    WHERE t.org_id = @org_id AND t.id = d.id AND d.used AND d.is_active RETURNING t.id
)
SELECT (SELECT count(*) FROM gone)::int AS deleted, (SELECT count(*) FROM retired)::int AS deactivated;
