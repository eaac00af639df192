-- name: AppendEvents :exec
-- Appends to the log; the sequencer gives the positions after commit. The lists
-- of products are arrays in text, and what else an event carries is JSON or
-- empty. What has no time happens now.
INSERT INTO events (org_id, kind, subject_type, subject_id, order_id, draft_id, external_id, order_status_id,
    product_ids, removed_product_ids, product_status_id, rule, data, driver_id, stop, occurred_at)
SELECT @org_id, x.kind, x.subject_type, x.subject_id, nullif(x.order_id, 0), nullif(x.draft_id, 0),
    nullif(x.external_id, ''), nullif(x.status_id, 0),
    CASE WHEN x.status_id <> 0 OR x.product_status_id <> 0 THEN x.product_ids::bigint[] END,
    nullif(x.removed_product_ids, '{}')::bigint[], nullif(x.product_status_id, 0), nullif(x.rule, ''),
    nullif(x.data, '')::jsonb, nullif(x.driver_id, 0), nullif(x.stop, ''),
    CASE WHEN x.occurred_at > '1970-01-01' THEN x.occurred_at ELSE now() END
FROM (
    SELECT unnest(@kinds::text[]) AS kind, unnest(@subject_types::text[]) AS subject_type,
        unnest(@subject_ids::bigint[]) AS subject_id, unnest(@order_ids::bigint[]) AS order_id,
        unnest(@draft_ids::bigint[]) AS draft_id, unnest(@external_ids::text[]) AS external_id,
        unnest(@status_ids::smallint[]) AS status_id, unnest(@product_ids::text[]) AS product_ids,
        unnest(@removed_product_ids::text[]) AS removed_product_ids,
        unnest(@product_status_ids::smallint[]) AS product_status_id, unnest(@rules::text[]) AS rule,
        unnest(@datas::text[]) AS data, unnest(@driver_ids::bigint[]) AS driver_id, unnest(@stops::text[]) AS stop,
        unnest(@occurred_ats::timestamptz[]) AS occurred_at, unnest(@seqs::int[]) AS seq
) x
ORDER BY x.seq;

-- name: MakeEventPartitions :one
-- Makes the partitions of the log for this month and the next; answers how many.
SELECT make_event_partitions()::int AS made;

-- name: SequenceEvents :one
-- Gives positions to at most batch committed events; answers how many.
SELECT sequence_events(@batch::int)::int AS given;

-- name: OrderStatusFeed :many
-- The changes of status behind a place of the log, oldest first, one per number
-- that counts in the order. An ETA of 1970 is none.
SELECT position::bigint AS position, place::bigint AS place, is_last::boolean AS is_last, order_id::bigint AS order_id,
    coalesce(external_id, '')::text AS external_id, order_status_id::smallint AS order_status_id, status, occurred_at,
    driver_id, stop, coalesce(eta, 'epoch')::timestamptz AS eta
FROM order_status_feed
WHERE org_id = @org_id AND position >= @after::bigint AND (position > @after::bigint OR place > @after_place::bigint)
ORDER BY position, place
LIMIT @page_size::int;

-- name: ProductStatusFeed :many
-- The changes of products' status behind a place of the log, oldest first.
SELECT position::bigint AS position, place::bigint AS place, order_id::bigint AS order_id,
    coalesce(external_id, '')::text AS external_id, product_id::bigint AS product_id, product_external_id,
    status_id::smallint AS status_id, status, occurred_at, driver_id, stop
FROM product_status_feed
WHERE org_id = @org_id AND position >= @after::bigint AND (position > @after::bigint OR place > @after_place::bigint)
ORDER BY position, place
LIMIT @page_size::int;

-- name: FollowEvents :many
-- What a follower has not taken yet, of all organizations, oldest first.
SELECT org_id::bigint AS org_id, id::bigint AS id, position::bigint AS position, kind::text AS kind,
    coalesce(order_id, 0)::bigint AS order_id, coalesce(draft_id, 0)::bigint AS draft_id,
    coalesce(external_id, '')::text AS external_id, coalesce(order_status_id, 0)::smallint AS order_status_id,
    coalesce(stop, '')::text AS stop, occurred_at::timestamptz AS occurred_at
FROM follow_events(@follower::text, @batch::int);

-- name: AdvanceFollower :execrows
-- Notes that a follower has taken everything up to a position. It never goes back.
-- The disk is not waited for: a note that is lost lets the same events come again.
UPDATE event_followers SET position = greatest(position, @position::bigint)
WHERE name = @name AND set_config('synchronous_commit', 'off', true) = 'off';

-- name: LogLag :many
-- How many positions each follower of the log is behind, and for how many seconds
-- the oldest event waits for its position.
SELECT follower::text AS follower, behind::bigint AS behind, waiting::float8 AS waiting FROM log_lag();

-- name: ParkEvent :exec
-- Notes that a follower went on without an event; once, however often it comes.
INSERT INTO parked_events (org_id, follower, event_id, position, kind, reason)
VALUES (@org_id, @follower, @event_id, @position, @kind, @reason)
ON CONFLICT (org_id, follower, event_id) DO NOTHING;
