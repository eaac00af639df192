-- name: AddPreview :one
-- Keeps what a search found beside a plan, with the routes that it changes.
WITH made AS (
    INSERT INTO plan_previews (org_id, plan_id) VALUES (@org_id, @plan_id) RETURNING id
), routes AS (
    SELECT unnest(@driver_ids::bigint[]) AS driver_id, unnest(@was::text[])::bigint[] AS was, unnest(@becomes::text[])::bigint[] AS becomes
), kept AS (
    INSERT INTO plan_preview_routes (org_id, preview_id, driver_id, was, becomes)
    SELECT @org_id, made.id, r.driver_id, r.was, r.becomes FROM made CROSS JOIN routes r
)
SELECT id FROM made;

-- name: DropPreviews :exec
-- Throws previews away that are older than an hour, and all but the newest of a plan.
DELETE FROM plan_previews p WHERE p.org_id = @org_id AND (p.made_at < now() - interval '1 hour'
    OR p.plan_id = @plan_id AND p.id NOT IN (SELECT k.id FROM plan_previews k
        WHERE k.org_id = @org_id AND k.plan_id = @plan_id ORDER BY k.id DESC LIMIT @most::int));

-- name: PreviewRoutes :many
-- The routes that a preview changes; a preview that is kept has at least one row.
SELECT coalesce(r.driver_id, 0)::bigint AS driver_id, r.was, r.becomes
FROM plan_previews v JOIN plans p ON p.org_id = v.org_id AND p.id = v.plan_id
LEFT JOIN plan_preview_routes r ON r.org_id = v.org_id AND r.preview_id = v.id
WHERE v.org_id = @org_id AND v.id = @id AND v.made_at > now() - interval '1 hour'
  AND p.day = @day::date AND coalesce(p.department_id, 0) = @department_id::bigint
ORDER BY r.driver_id;

-- name: DeletePreview :exec
DELETE FROM plan_previews WHERE org_id = @org_id AND id = @id;
