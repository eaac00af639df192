-- name: SigningKey :one
-- The key with which addresses of one purpose are signed.
SELECT key FROM signing_keys WHERE purpose = @purpose;

-- name: DeclareDocuments :many
-- Inserts documents that are not uploaded yet, in the given order.
WITH declared AS (
    INSERT INTO documents (org_id, name, content_type, size)
    SELECT @org_id, x.name, x.content_type, x.size
    FROM (
        SELECT unnest(@names::text[]) AS name, unnest(@content_types::text[]) AS content_type,
            unnest(@sizes::bigint[]) AS size, generate_subscripts(@names::text[], 1) AS seq
    ) x
    ORDER BY x.seq
    RETURNING org_id, id
), logged AS (
    INSERT INTO events (org_id, kind, subject_type, subject_id, document_id)
    SELECT org_id, 'document.declared', 'document', id, id FROM declared ORDER BY id
)
SELECT id FROM declared ORDER BY id;

-- name: ReadDocument :one
SELECT id, name, content_type, size, created_at, uploaded_at, coalesce(storage_key, '')::text AS storage_key
FROM documents WHERE org_id = @org_id AND id = @id;

-- name: CompleteDocument :execrows
-- Records that a document is uploaded, once.
WITH completed AS (
    UPDATE documents d SET uploaded_at = now(), storage_key = @storage_key::text, sha256 = @sha256::bytea
    WHERE d.org_id = @org_id AND d.id = @id AND d.uploaded_at IS NULL
    RETURNING d.org_id AS org, d.id AS document
)
INSERT INTO events (org_id, kind, subject_type, subject_id, document_id)
SELECT org, 'document.uploaded', 'document', document, document FROM completed;

-- name: SameDocument :one
-- Whether a document's bytes are these.
SELECT coalesce(sha256 = @sha256::bytea, false)::boolean AS same FROM documents WHERE org_id = @org_id AND id = @id;

-- name: UploadedDocuments :many
-- Those of some documents that are uploaded.
SELECT id, name FROM documents
WHERE org_id = @org_id AND id = ANY (@ids::bigint[]) AND uploaded_at IS NOT NULL
ORDER BY id;

-- name: LockOpenDraft :one
-- Locks the draft of a number that may still become an order.
SELECT id FROM drafts WHERE org_id = @org_id AND external_id = @external_id::text AND state = 'incomplete' FOR UPDATE;

-- name: OrderAttachments :many
SELECT d.id, d.name FROM order_documents a JOIN documents d ON d.org_id = a.org_id AND d.id = a.document_id
WHERE a.org_id = @org_id AND a.order_id = @order_id ORDER BY d.id;

-- name: DraftAttachments :many
SELECT d.id, d.name FROM draft_documents a JOIN documents d ON d.org_id = a.org_id AND d.id = a.document_id
WHERE a.org_id = @org_id AND a.draft_id = @draft_id ORDER BY d.id;

-- name: AttachToOrder :exec
INSERT INTO order_documents (org_id, order_id, document_id)
SELECT @org_id, @order_id, unnest(@document_ids::bigint[]) ON CONFLICT DO NOTHING;

-- name: AttachToDraft :exec
INSERT INTO draft_documents (org_id, draft_id, document_id)
SELECT @org_id, @draft_id, unnest(@document_ids::bigint[]) ON CONFLICT DO NOTHING;

-- name: DetachFromOrder :exec
DELETE FROM order_documents WHERE org_id = @org_id AND order_id = @order_id
    AND document_id = ANY (@document_ids::bigint[]);

-- name: DetachFromDraft :exec
DELETE FROM draft_documents WHERE org_id = @org_id AND draft_id = @draft_id
    AND document_id = ANY (@document_ids::bigint[]);

-- name: InheritDocuments :exec
-- Moves the documents of drafts to the orders that they became.
INSERT INTO order_documents (org_id, order_id, document_id, attached_at)
SELECT a.org_id, d.order_id, a.document_id, a.attached_at
FROM draft_documents a JOIN drafts d ON d.org_id = a.org_id AND d.id = a.draft_id
WHERE a.org_id = @org_id AND a.draft_id = ANY (@draft_ids::bigint[]) AND d.order_id IS NOT NULL
ON CONFLICT DO NOTHING;

-- name: ForgetDraftDocuments :exec
-- Removes the documents of drafts that their orders have inherited.
DELETE FROM draft_documents WHERE org_id = @org_id AND draft_id = ANY (@draft_ids::bigint[]);

-- name: LogAttachments :exec
-- Records what was attached to an order or draft, and what was detached.
INSERT INTO events (org_id, kind, subject_type, subject_id, order_id, draft_id, external_id, document_id)
SELECT @org_id, x.kind, CASE WHEN sqlc.narg('order_id')::bigint IS NULL THEN 'draft' ELSE 'order' END,
    coalesce(sqlc.narg('order_id')::bigint, sqlc.narg('draft_id')::bigint), sqlc.narg('order_id')::bigint,
    sqlc.narg('draft_id')::bigint, @external_id::text, x.document_id
FROM (
    SELECT 'document.detached' AS kind, unnest(@detached::bigint[]) AS document_id
    UNION ALL SELECT 'document.attached', unnest(@attached::bigint[])
) x
ORDER BY x.kind DESC, x.document_id;

-- name: CompletionProofs :many
-- The valid proofs of an order, newest first. A picture has no key until it is
-- uploaded, and no hash if it is older than hashes.
SELECT p.type, coalesce(p.signature_key, (SELECT x.storage_key FROM proof_pictures x
        WHERE x.org_id = p.org_id AND x.sha256 = p.signature_sha256)) AS signature_key,
    coalesce(encode(p.signature_sha256, 'hex'), '')::text AS signature, p.signee, p.comment,
    i.keys::text[] AS picture_keys, i.sums::text[] AS pictures, coalesce(p.scans, '[]')::jsonb AS scans,
    coalesce(p.occurred_at, p.created_at)::timestamptz AS occurred_at,
    p.latitude, p.longitude, p.accuracy_meters, p.distance_meters, d.id AS driver_id, d.name AS driver_name,
    p.seq, p.manifest, coalesce(encode(p.hash, 'hex'), '')::text AS hash
FROM completion_proofs p
CROSS JOIN LATERAL (
    SELECT coalesce(array_agg(coalesce(i.storage_key, x.storage_key, '') ORDER BY i.seq), '{}') AS keys,
        coalesce(array_agg(coalesce(encode(i.sha256, 'hex'), '') ORDER BY i.seq), '{}') AS sums
    FROM completion_proof_images i LEFT JOIN proof_pictures x ON x.org_id = i.org_id AND x.sha256 = i.sha256
    WHERE i.org_id = p.org_id AND i.proof_id = p.id
) i
LEFT JOIN driver_actions a ON a.org_id = p.org_id AND a.id = p.action_id
LEFT JOIN drivers d ON d.org_id = a.org_id AND d.id = a.driver_id
WHERE p.org_id = @org_id AND p.order_id = @order_id AND p.counts
ORDER BY p.created_at DESC, p.id DESC;

-- name: OrderPicture :one
-- A picture named in an order's documentations; its columns are empty until it is
-- uploaded.
SELECT coalesce(p.storage_key, '')::text AS storage_key, coalesce(p.content_type, '')::text AS content_type,
    coalesce(p.size, 0)::bigint AS size
FROM (
    SELECT a.org_id FROM driver_actions a
    WHERE a.org_id = @org_id AND a.order_id = @order_id::bigint AND a.type = 'FAIL' AND a.data -> 'pictures' ? @sha256::text LIMIT 1
) a
LEFT JOIN proof_pictures p ON p.org_id = a.org_id AND p.sha256 = decode(@sha256::text, 'hex');

-- name: ProvedOrder :one
-- The names needed to print a proof of an order.
SELECT g.name AS organization, g.slug, coalesce(o.number, '')::text AS number, coalesce(o.reference, '')::text AS reference,
    coalesce(c.business_name, '')::text AS consignee, s.name AS stop,
    concat_ws(', ', nullif(s.address1, ''), nullif(s.address2, ''),
        nullif(concat_ws(' ', nullif(s.postal_code, ''), nullif(s.city, '')), ''), nullif(s.state, ''),
        nullif(s.country, ''))::text AS address
FROM orders o
JOIN organizations g ON g.id = o.org_id
JOIN order_stops s ON s.org_id = o.org_id AND s.order_id = o.id AND s.kind = 'delivery'
LEFT JOIN customers c ON c.org_id = o.org_id AND c.id = o.consignee_id
WHERE o.org_id = @org_id AND o.id = @order_id;

-- name: ProvedGoods :many
-- The results for the goods of a delivered order, in sequence.
SELECT coalesce(nullif(p.name, ''), p.external_id, '–')::text AS name, p.quantity,
    coalesce(d.delivered, greatest(p.quantity - coalesce(m.missing, 0), 0))::float8 AS delivered,
    coalesce(d.refused, 0)::float8 AS refused, coalesce(d.reason, '')::text AS refusal_reason,
    coalesce(m.missing, 0)::float8 AS missing, coalesce(m.reason, '')::text AS missing_reason
FROM order_products p
LEFT JOIN order_product_deliveries d ON d.org_id = p.org_id AND d.order_product_id = p.id
LEFT JOIN order_products_missing m ON m.org_id = p.org_id AND m.order_product_id = p.id
WHERE p.org_id = @org_id AND p.order_id = @order_id
ORDER BY p.seq, p.id;

-- name: OrderDocumentations :one
-- The documentations of an order as one list, each with the driver's position; no row for an
-- unknown order.
SELECT coalesce((
    SELECT jsonb_agg(x.item || jsonb_build_object('position', CASE WHEN a.latitude IS NOT NULL THEN jsonb_build_object(
        'latitude', a.latitude, 'longitude', a.longitude, 'accuracy_meters', a.accuracy_meters,
        'distance_meters', round(a.distance_meters)) END) ORDER BY x.place)
    FROM jsonb_array_elements(order_documentations_document(o.org_id, o.id)) WITH ORDINALITY x (item, place)
    LEFT JOIN order_documentations d ON d.org_id = o.org_id AND d.id = (x.item ->> 'id')::bigint
    LEFT JOIN driver_actions a ON a.org_id = o.org_id AND a.id = d.action_id
), '[]')::jsonb AS document
FROM orders o WHERE o.org_id = @org_id AND o.id = @order_id;
