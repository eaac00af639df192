-- name: ListDrafts :many
-- Drafts behind an id, oldest first. A filter that is null lets everything pass.
SELECT id, coalesce(external_id, '')::text AS external_id, state, reasons, coalesce(order_id, 0)::bigint AS order_id,
    created_at, updated_at
FROM drafts
WHERE org_id = @org_id AND id > @after::bigint
  AND (sqlc.narg('state')::text IS NULL OR state = sqlc.narg('state')::text)
  AND (sqlc.narg('external_id')::text IS NULL OR external_id = sqlc.narg('external_id')::text)
  AND (sqlc.narg('updated_since')::timestamptz IS NULL OR updated_at >= sqlc.narg('updated_since')::timestamptz)
  AND (sqlc.narg('reason')::text IS NULL
      OR reasons @> jsonb_build_array(jsonb_build_object('code', sqlc.narg('reason')::text)))
  AND (sqlc.narg('on_day')::text IS NULL OR request ->> 'date' = sqlc.narg('on_day')::text)
ORDER BY id
LIMIT @page_size::int;

-- name: ReadDraft :one
SELECT id, coalesce(external_id, '')::text AS external_id, state, request, defaults, reasons,
    coalesce(order_id, 0)::bigint AS order_id, created_at, updated_at
FROM drafts WHERE org_id = @org_id AND id = @id;

-- name: DraftDocuments :one
-- The documents of a draft, in the form of an order's documents.
SELECT coalesce(jsonb_agg(jsonb_build_object('document_id', d.id, 'name', d.name, 'content_type', d.content_type,
    'size', d.size, 'created_at', iso_utc(a.attached_at)) ORDER BY a.attached_at, d.id), '[]')::jsonb AS documents
FROM draft_documents a JOIN documents d ON d.org_id = a.org_id AND d.id = a.document_id
WHERE a.org_id = @org_id AND a.draft_id = @draft_id;

-- name: DraftAsks :one
-- Whether a draft was completed by just this request.
SELECT (request = @request::jsonb)::boolean AS same FROM drafts WHERE org_id = @org_id AND id = @id;

-- name: NoteCompletion :exec
-- Keeps with a draft the request that was to complete it, and its number.
UPDATE drafts SET request = @request::jsonb, external_id = nullif(@external_id::text, '') WHERE org_id = @org_id
    AND id = @id;

-- name: DiscardDraft :exec
UPDATE drafts SET state = 'discarded', updated_at = now(), receipt = nextval('imports_id_seq')
WHERE org_id = @org_id AND id = @id;
