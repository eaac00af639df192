-- name: AppendExternalUpdate :one
-- Appends to an order's timeline. A repeated body of the same carrier is
-- one update; 0 means that it existed.
WITH added AS (
    INSERT INTO external_updates (org_id, order_id, carrier, event_type, label, occurred_at, signee_name,
        is_contactless, success, failure_reason, raw_body, body_hash)
    VALUES (@org_id, @order_id, nullif(@carrier::text, ''), @event_type, nullif(@label::text, ''), @occurred_at,
        nullif(@signee_name::text, ''), sqlc.narg('is_contactless'), @success, nullif(@failure_reason::text, ''),
        @raw_body, sqlc.narg('body_hash'))
    ON CONFLICT (org_id, carrier, body_hash) DO NOTHING
    RETURNING id
)
SELECT coalesce((SELECT id FROM added), 0)::bigint AS id;

-- name: ExternalUpdates :many
-- The timeline of an order, newest first.
SELECT event_type, label, occurred_at, received_at, signee_name, is_contactless, success, failure_reason, raw_body
FROM external_updates
WHERE org_id = @org_id AND order_id = @order_id
ORDER BY received_at DESC, id DESC;

-- name: OrderOfToken :one
SELECT order_id FROM export_versions WHERE org_id = @org_id AND token = @token;

-- name: CarrierMoves :one
-- Whether a carrier's reports change an order's status: it was exported, and
-- the organization allows it; and when the order was created.
SELECT (g.carrier_moves_status AND EXISTS (SELECT FROM order_exports e
    WHERE e.org_id = g.id AND e.order_id = @order_id AND e.exported_version > 0))::boolean AS moves, o.created_at
FROM organizations g JOIN orders o ON o.org_id = g.id AND o.id = @order_id
WHERE g.id = @org_id;

-- name: CarrierSecrets :many
-- The carriers that may send updates, the names of their secrets, and whether
-- another organization uses the same secret.
SELECT name, secret_env, carrier_secret_is_shared(secret_env)::boolean AS is_shared FROM carriers WHERE org_id = @org_id ORDER BY name;

-- name: ApplyCarriers :one
WITH wanted AS (
    SELECT unnest(@names::text[]) AS name, unnest(@secret_envs::text[]) AS secret_env
), updated AS (
    UPDATE carriers t SET secret_env = w.secret_env, source = 'document' FROM wanted w
    WHERE t.org_id = @org_id AND t.name = w.name
      AND (t.secret_env, t.source) IS DISTINCT FROM (w.secret_env, 'document')
    RETURNING t.name
), created AS (
    INSERT INTO carriers (org_id, name, secret_env, source)
    SELECT @org_id, w.name, w.secret_env, 'document' FROM wanted w
    WHERE NOT EXISTS (SELECT FROM carriers t WHERE t.org_id = @org_id AND t.name = w.name)
    RETURNING name
)
SELECT (SELECT count(*) FROM created)::int AS created, (SELECT count(*) FROM updated)::int AS updated;

-- name: PruneCarriers :execrows
DELETE FROM carriers t WHERE t.org_id = @org_id AND t.source = 'document'
    AND NOT t.name = ANY (@names::text[]);

-- name: KeepRefusedUpdate :exec
-- Notes an update that was refused, and keeps the newest twenty of each carrier.
WITH old AS (
    DELETE FROM refused_carrier_updates d WHERE d.org_id = @org_id AND d.carrier = @carrier AND d.id < (
        SELECT min(k.id) FROM (SELECT r.id FROM refused_carrier_updates r
            WHERE r.org_id = @org_id AND r.carrier = @carrier ORDER BY r.id DESC LIMIT 19) k)
)
INSERT INTO refused_carrier_updates (org_id, carrier, reason, field, request_id)
VALUES (@org_id, @carrier, @reason, @field, @request_id);

-- name: RefusedUpdates :many
-- Recently refused updates of carriers, newest first.
SELECT carrier, refused_at, reason, field, request_id FROM refused_carrier_updates
WHERE org_id = @org_id ORDER BY id DESC LIMIT 200;
