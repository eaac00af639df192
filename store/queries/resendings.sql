-- name: AddResending :one
INSERT INTO resendings (org_id, since, until, event, channel, failure, provider, dead_addresses, total, actor, cause)
VALUES (@org_id, @since, @until, @event, @channel, @failure, @provider, @dead_addresses, @total, @actor, @cause)
ON CONFLICT (org_id) WHERE state = 'RUNNING' DO NOTHING
RETURNING id;

-- name: DropResending :exec
-- Deletes one that could not be started.
DELETE FROM resendings WHERE org_id = @org_id AND id = @id;

-- name: LockResending :one
SELECT sqlc.embed(r) FROM resendings r WHERE r.org_id = @org_id AND r.id = @id FOR UPDATE;

-- name: Resendings :many
-- Newest first, before an id, or a single one.
SELECT sqlc.embed(r), coalesce(name_of_actor(r.org_id, r.actor), '')::text AS actor_name,
    coalesce(name_of_actor(r.org_id, r.stopped_by), '')::text AS stopped_by_name
FROM resendings r
WHERE r.org_id = @org_id AND (sqlc.narg('id')::bigint IS NULL OR r.id = sqlc.narg('id')) AND (@before::bigint = 0 OR r.id < @before)
ORDER BY r.id DESC LIMIT @page_size::int;

-- name: BeginResendingBatch :exec
UPDATE resendings SET begun = @begun, updated_at = now() WHERE org_id = @org_id AND id = @id;

-- name: AdvanceResending :exec
UPDATE resendings SET done = begun, sent = sent + @sent::int, refused = refused + @refused::int, updated_at = now()
WHERE org_id = @org_id AND id = @id;

-- name: EndResending :exec
UPDATE resendings SET state = @state, stopped_by = @stopped_by, ended_at = now(), updated_at = now()
WHERE org_id = @org_id AND id = @id;

-- name: MessagesToResend :many
-- Failed messages that were not retried, oldest first, after an id, with the data needed for
-- retries. Those of a batch in progress may have been retried by it: they are included, unless
-- the log names another actor for the retry.
SELECT n.id, n.channel, n.key, n.event, n.status, n.uncertain, n.run_id, coalesce(n.failure, '')::text AS failure,
    coalesce(n.order_id, 0)::bigint AS order_id, coalesce(e.external_id, '')::text AS number,
    EXISTS (SELECT FROM notification_steps s WHERE s.org_id = n.org_id AND s.notification_id = n.id
        AND s.kind = 'report' AND s.status = 'delivered')::boolean AS received,
    (SELECT coalesce(max(l.try), 0) FROM notifications l WHERE l.org_id = n.org_id AND l.key = n.key)::smallint AS last_try,
    coalesce(r.id, 0)::bigint AS retried_by, (e.id IS NOT NULL)::boolean AS logged
FROM notifications n
LEFT JOIN notifications r ON r.org_id = n.org_id AND r.retry_of = n.id
LEFT JOIN events e ON e.org_id = n.org_id AND e.id = n.event_id
WHERE n.org_id = @org_id AND n.status = 'failed' AND n.failure <> 'Superseded' AND n.id > @after
  AND n.created_at >= @since AND n.created_at < @until
  AND (@event::text = '' OR n.event = @event) AND (@channel::text = '' OR n.channel = @channel)
  AND (@failure::text = '' OR n.failure = @failure) AND (@provider::text = '' OR n.provider = @provider)
  AND NOT n.failure = ANY (@left_out::text[])
  AND (@begun::bigint = 0 OR n.id <= @begun)
  AND (r.id IS NULL OR @begun::bigint > 0 AND NOT EXISTS (
      SELECT FROM events v WHERE v.org_id = n.org_id AND v.kind = 'notification.retried'
        AND v.subject_type = CASE WHEN n.order_id IS NULL THEN 'notification' ELSE 'order' END
        AND v.subject_id = coalesce(n.order_id, n.id)
        AND (n.order_id IS NULL OR (v.data ->> 'message')::bigint = n.id)))
ORDER BY n.id LIMIT @page_size::int;
