-- name: TransformationRules :many
-- The active rules of an organization, in the order in which they run.
SELECT name, triggers, coalesce(condition, '')::text AS condition, assignments, run_order
FROM transformation_rules WHERE org_id = @org_id AND is_active
ORDER BY run_order, seq, id;

-- name: ApplyTransformations :one
-- Triggers are separated by commas.
WITH wanted AS (
    SELECT x.name, string_to_array(x.triggers, ',') AS triggers, nullif(x.condition, '') AS condition,
        x.assignments::jsonb AS assignments, x.run_order, x.seq, x.is_active
    FROM (SELECT unnest(@names::text[]) AS name, unnest(@triggers::text[]) AS triggers,
        unnest(@conditions::text[]) AS condition, unnest(@assignments::text[]) AS assignments,
        unnest(@run_orders::int[]) AS run_order, unnest(@seqs::int[]) AS seq,
        unnest(@actives::boolean[]) AS is_active) x
), updated AS (
    UPDATE transformation_rules t SET name = w.name, triggers = w.triggers, condition = w.condition,
        assignments = w.assignments, run_order = w.run_order, seq = w.seq, is_active = w.is_active, source = 'document'
    FROM wanted w
    WHERE t.org_id = @org_id AND lower(t.name) = lower(w.name)
      AND (t.name, t.triggers, t.condition, t.assignments, t.run_order, t.seq, t.is_active, t.source)
        IS DISTINCT FROM (w.name, w.triggers, w.condition, w.assignments, w.run_order, w.seq, w.is_active, 'document')
    RETURNING t.id
), created AS (
    INSERT INTO transformation_rules (org_id, name, triggers, condition, assignments, run_order, seq, is_active, source)
    SELECT @org_id, w.name, w.triggers, w.condition, w.assignments, w.run_order, w.seq, w.is_active, 'document'
    FROM wanted w
    WHERE NOT EXISTS (SELECT FROM transformation_rules t WHERE t.org_id = @org_id AND lower(t.name) = lower(w.name))
    RETURNING id
)
SELECT (SELECT count(*) FROM created)::int AS created, (SELECT count(*) FROM updated)::int AS updated;

-- name: PruneTransformations :execrows
DELETE FROM transformation_rules t
WHERE t.org_id = @org_id AND t.source = 'document'
    AND NOT lower(t.name) IN (SELECT lower(k.name) FROM (SELECT unnest(@names::text[]) AS name) k);

-- name: CustomersByID :many
-- Customers of orders, including inactive ones.
SELECT id, coalesce(external_id, '')::text AS external_id, business_name,
    coalesce(department_id, 0)::bigint AS department_id
FROM customers WHERE org_id = @org_id AND id = ANY (@ids::bigint[])
ORDER BY id;
