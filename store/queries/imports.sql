-- name: CreateImport :one
INSERT INTO imports (org_id, defaults, total, chunks, request_id)
VALUES (@org_id, @defaults, @total, @chunks, nullif(@request_id::text, ''))
RETURNING id;

-- name: CreateSmallImport :one
-- An import of a single chunk, in one round trip.
WITH i AS (
    INSERT INTO imports (org_id, defaults, total, chunks, request_id)
    VALUES (@org_id, @defaults, @total, 1, nullif(@request_id::text, ''))
    RETURNING org_id, id
)
INSERT INTO import_chunks (org_id, import_id, chunk, positions, entries, numbers)
SELECT i.org_id, i.id, 0, @positions::int[], @entries::bytea, @numbers::text[] FROM i
RETURNING import_id;

-- name: AddChunk :exec
INSERT INTO import_chunks (org_id, import_id, chunk, positions, entries, numbers)
VALUES (@org_id, @import_id, @chunk, @positions::int[], @entries, @numbers::text[]);

-- name: LockChunk :one
-- Locks a chunk for this transaction. A second caller waits, and then sees that
-- it is done. The events of this transaction name the user who requested the
-- import.
SELECT c.positions, c.entries, (c.done_at IS NOT NULL)::boolean AS done, (c.entries IS NULL)::boolean AS dropped, i.defaults,
    set_config('app.actor', coalesce(i.actor, current_setting('app.actor')), true)::text AS actor
FROM import_chunks c JOIN imports i ON i.org_id = c.org_id AND i.id = c.import_id
WHERE c.org_id = @org_id AND c.import_id = @import_id AND c.chunk = @chunk
FOR UPDATE OF c;

-- name: ReadChunk :one
-- The entries of a chunk, empty once they have been worked on.
SELECT coalesce(entries, '')::bytea AS entries FROM import_chunks
WHERE org_id = @org_id AND import_id = @import_id AND chunk = @chunk;

-- name: AddResults :exec
INSERT INTO import_results (org_id, import_id, position, kind, order_id, draft_id, external_id, reasons,
    order_status_id)
SELECT @org_id, @import_id, x.position, x.kind, nullif(x.order_id, 0), nullif(x.draft_id, 0), x.external_id,
    nullif(x.reasons, '')::jsonb, nullif(x.status_id, 0)
FROM (
    SELECT unnest(@positions::int[]) AS position, unnest(@kinds::text[]) AS kind,
        unnest(@order_ids::bigint[]) AS order_id, unnest(@draft_ids::bigint[]) AS draft_id,
        unnest(@external_ids::text[]) AS external_id, unnest(@reasons::text[]) AS reasons,
        unnest(@status_ids::smallint[]) AS status_id
) x;

-- name: CountResults :many
-- The number of results by kind, at some positions.
SELECT kind, count(*) FROM import_results
WHERE org_id = @org_id AND import_id = @import_id AND position = ANY (@positions::int[])
GROUP BY kind;

-- name: FinishChunk :exec
UPDATE import_chunks SET done_at = now(), entries = NULL, numbers = NULL
WHERE org_id = @org_id AND import_id = @import_id AND chunk = @chunk;

-- name: CountChunk :exec
-- Counts a chunk as done; the last one completes the import. Must come last in
-- its transaction, because chunks of one import wait for one another here.
UPDATE imports SET chunks_done = chunks_done + 1,
    completed_at = CASE WHEN chunks_done + 1 >= chunks THEN clock_timestamp() END
WHERE org_id = @org_id AND id = @import_id;

-- name: ImportProgress :one
SELECT i.id, i.total, i.chunks, i.chunks_done, i.created_at, i.completed_at, i.ended_at, coalesce(i.ended_as, '')::text AS ended_as,
    (SELECT count(*) FROM import_results r WHERE r.org_id = i.org_id AND r.import_id = i.id)::int AS done
FROM imports i WHERE i.org_id = @org_id AND i.id = @import_id;

-- name: ImportResults :many
-- Results behind a position, in the request's order.
SELECT position, kind, coalesce(order_id, 0)::bigint AS order_id, coalesce(draft_id, 0)::bigint AS draft_id,
    external_id, reasons, coalesce(order_status_id, 0)::smallint AS order_status_id
FROM import_results
WHERE org_id = @org_id AND import_id = @import_id AND position > @after::int
ORDER BY position
LIMIT @page_size::int;

-- name: AbandonChunks :exec
-- Deletes the chunks of an import of which none was processed.
DELETE FROM import_chunks c
WHERE c.org_id = @org_id AND c.import_id = @import_id AND NOT EXISTS (
    SELECT FROM import_chunks d WHERE d.org_id = @org_id AND d.import_id = @import_id AND d.done_at IS NOT NULL);

-- name: AbandonImport :exec
-- Deletes an import that has no chunks any more.
DELETE FROM imports i
WHERE i.org_id = @org_id AND i.id = @import_id AND NOT EXISTS (
    SELECT FROM import_chunks c WHERE c.org_id = @org_id AND c.import_id = @import_id);

-- name: DropChunks :exec
-- Drops the entries of the chunks that were not started, and waits for those in
-- progress.
WITH open AS (
    SELECT c.chunk FROM import_chunks c
    WHERE c.org_id = @org_id AND c.import_id = @import_id AND c.done_at IS NULL
    ORDER BY c.chunk FOR UPDATE
)
UPDATE import_chunks c SET entries = NULL, numbers = NULL FROM open o
WHERE c.org_id = @org_id AND c.import_id = @import_id AND c.chunk = o.chunk AND c.done_at IS NULL;

-- name: EndImport :exec
-- Ends an import that has not completed.
UPDATE imports SET ended_at = clock_timestamp(), ended_as = @ended_as::text
WHERE org_id = @org_id AND id = @import_id AND completed_at IS NULL AND ended_at IS NULL;

-- name: LivingImports :many
-- The imports, of all organizations, that have been at work since before a moment.
SELECT l.org_id::bigint AS org_id, l.id::bigint AS id
FROM living_imports(@quiet_since::timestamptz, @after_org::bigint, @after_id::bigint, @batch::int) AS l;

-- name: MergesByDefault :one
SELECT allow_merge FROM organizations WHERE id = @org_id;
