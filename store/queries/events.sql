-- name: AppendEvents :exec
-- Appends to the log; the sequencer assigns the positions after commit. The
-- lists of products are arrays as text, and an event's data is JSON or empty.
-- Without a time, it happens now.
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
-- Gives positions to at most batch committed events. Returns their number, or
-- -1 if the member does not lead.
SELECT sequence_events_of_leader(CAST(@member::text AS uuid), @batch::int)::int AS given;

-- name: RelayBeat :one
-- Renews the lease of a member, and returns its holdings.
SELECT leads::boolean AS leads, share::int AS share, shards::smallint[] AS shards, terms::bigint[] AS terms
FROM relay_beat(CAST(@member::text AS uuid), @member_name::text, @lease::float8, @given_up::smallint[]);

-- name: RelayLeave :exec
-- Ends the lease of a member, and releases its holdings.
DELETE FROM relay_members WHERE id = CAST(@member::text AS uuid);

-- name: OrderStatusFeed :many
-- The status changes after a position of the log, oldest first, one per number
-- that counts in the order. An ETA of 1970 means none.
SELECT position::bigint AS position, place::bigint AS place, is_last::boolean AS is_last, order_id::bigint AS order_id,
    coalesce(external_id, '')::text AS external_id, order_status_id::smallint AS order_status_id, status, occurred_at,
    driver_id, stop, coalesce(eta, 'epoch')::timestamptz AS eta, kind, coalesce(reason, '')::text AS reason,
    coalesce(comment, '')::text AS comment
FROM order_status_feed
WHERE org_id = @org_id AND position >= @after::bigint AND (position > @after::bigint OR place > @after_place::bigint)
ORDER BY position, place
LIMIT @page_size::int;

-- name: ProductStatusFeed :many
-- Changes of products' status after a position of the log, oldest first. Each event of
-- the page has at least one entry, so the events of a page are found first, with their
-- index: the rest reads only them, regardless of the log's length. All entries of the
-- first event may have been read already.
WITH page AS MATERIALIZED (
    SELECT e.org_id, e.position, e.order_id, e.external_id, e.product_ids, e.removed_product_ids, e.product_status_id,
        coalesce(e.occurred_at, e.recorded_at) AS occurred_at, e.driver_id, e.stop, e.kind, e.data
    FROM events e
    WHERE e.org_id = @org_id AND e.position >= @after::bigint
      AND e.position IS NOT NULL AND e.product_status_id IS NOT NULL
      AND (cardinality(e.product_ids) > 0 OR cardinality(e.removed_product_ids) > 0)
    ORDER BY e.position
    LIMIT 1 + @page_size::int
)
SELECT e.position::bigint AS position, u.place::bigint AS place, e.order_id::bigint AS order_id,
    coalesce(p.number, e.external_id, '')::text AS external_id, u.product_id::bigint AS product_id,
    p.external_id AS product_external_id, s.id::smallint AS status_id, s.name AS status,
    e.occurred_at::timestamptz AS occurred_at, e.driver_id, e.stop,
    coalesce(CASE WHEN e.kind = 'order.product_scanned' THEN e.data END, '{}')::jsonb AS scan
FROM page e
CROSS JOIN LATERAL unnest(coalesce(e.product_ids, '{}') || coalesce(e.removed_product_ids, '{}'))
    WITH ORDINALITY AS u (product_id, place)
JOIN order_statuses s
    ON s.id = CASE WHEN u.place <= coalesce(cardinality(e.product_ids), 0) THEN e.product_status_id ELSE 8 END
LEFT JOIN LATERAL (SELECT x.number, x.external_id FROM order_products x
    WHERE x.org_id = e.org_id AND x.id = u.product_id OFFSET 0) p ON true
WHERE e.position > @after::bigint OR u.place > @after_place::bigint
ORDER BY e.position, u.place
LIMIT @page_size::int;

-- name: LogBounds :one
-- The position up to which the log is complete, and the last one assigned.
SELECT dropped_position, last_position FROM event_sequencer;

-- name: LogEnd :one
-- The last position assigned.
SELECT last_position FROM event_sequencer;

-- name: EventsBetween :many
-- The events of some kinds between two places of the log, oldest first.
SELECT org_id::bigint AS org_id, shard::smallint AS shard, id::bigint AS id, position::bigint AS position, kind::text AS kind,
    coalesce(order_id, 0)::bigint AS order_id, coalesce(draft_id, 0)::bigint AS draft_id,
    coalesce(external_id, '')::text AS external_id, coalesce(order_status_id, 0)::smallint AS order_status_id,
    coalesce(stop, '')::text AS stop, recorded_at::timestamptz AS recorded_at
FROM events_between(@after::bigint, @upto::bigint, @shards::smallint[], @org::bigint, @kinds::text[]);

-- name: Cursors :many
-- Up to where each follower has taken all events of shards.
SELECT f.name AS follower, s.shard::smallint AS shard, coalesce(c.position, f.position)::bigint AS position
FROM event_followers f CROSS JOIN unnest(@shards::smallint[]) AS s (shard)
LEFT JOIN event_cursors c ON c.follower = f.name AND c.shard = s.shard;

-- name: NoteCursors :exec
-- Saves how far followers have processed shards that the member still holds. A
-- cursor never goes back. It does not wait for the disk: if a cursor is lost,
-- the same events are processed again.
INSERT INTO event_cursors AS c (follower, shard, position)
SELECT x.follower, x.shard, x.position
FROM (
    SELECT unnest(@followers::text[]) AS follower, unnest(@shards::smallint[]) AS shard, unnest(@terms::bigint[]) AS term,
        unnest(@positions::bigint[]) AS position
) x
JOIN relay_shards s ON s.shard = x.shard AND s.term = x.term AND s.holder = CAST(@member::text AS uuid)
WHERE set_config('synchronous_commit', 'off', true) = 'off'
ON CONFLICT (follower, shard) DO UPDATE SET position = excluded.position WHERE c.position < excluded.position;

-- name: LogLag :many
-- How many positions each follower of the log is behind, and for how many seconds
-- the oldest event waits for its position.
SELECT follower::text AS follower, behind::bigint AS behind, waiting::float8 AS waiting FROM log_lag();

-- name: ParkEvent :exec
-- Records that a follower skipped an event, once.
INSERT INTO parked_events (org_id, follower, event_id, position, kind, reason)
VALUES (@org_id, @follower, @event_id, @position, @kind, @reason)
ON CONFLICT (org_id, follower, event_id) DO NOTHING;

-- name: ChangesBehind :many
-- Events after a position of the log, oldest first.
SELECT org_id::bigint AS org_id, position::bigint AS position, kind::text AS kind, subject_type::text AS subject_type,
    subject_id::bigint AS subject_id, coalesce(order_id, 0)::bigint AS order_id, coalesce(driver_id, 0)::bigint AS driver_id
FROM changes_behind(@after::bigint, @batch::integer);

-- name: TracesOfEvents :many
-- The distinct traces in which events were written.
SELECT DISTINCT e.trace::text AS trace
FROM (SELECT unnest(@ids::bigint[]) AS id, unnest(@times::timestamptz[]) AS at) k
JOIN events e ON e.org_id = @org_id AND e.id = k.id AND e.recorded_at = k.at
WHERE e.trace IS NOT NULL
LIMIT @most::int;
