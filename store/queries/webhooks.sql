-- Webhook endpoints, and their deliveries.

-- name: ListWebhookEndpoints :many
-- All endpoints of an organization, or one by its id. Never is represented by the year 1.
-- Waiting and abandoned events are counted up to a limit, and so are recent failures.
SELECT e.id, e.url, e.description, e.kinds, e.sealed_secret, e.sealed_previous,
    coalesce(e.previous_until, '0001-01-01 00:00:00+00')::timestamptz AS previous_until, e.is_active, coalesce(e.off_reason, '')::text AS off_reason,
    coalesce(e.off_at, '0001-01-01 00:00:00+00')::timestamptz AS off_at, e.position, e.place,
    coalesce(e.failing_since, '0001-01-01 00:00:00+00')::timestamptz AS failing_since, e.failures, e.rests,
    coalesce(e.resting_until, '0001-01-01 00:00:00+00')::timestamptz AS resting_until,
    coalesce(e.delivered_at, '0001-01-01 00:00:00+00')::timestamptz AS delivered_at, e.created_at, e.updated_at,
    (SELECT count(*) FROM (SELECT FROM webhook_deliveries d WHERE d.org_id = e.org_id AND d.endpoint_id = e.id
        AND d.next_at IS NOT NULL LIMIT 20000) w)::int AS waiting,
    (SELECT count(*) FROM (SELECT FROM webhook_deliveries d WHERE d.org_id = e.org_id AND d.endpoint_id = e.id
        AND d.next_at IS NULL LIMIT 20000) w)::int AS failed,
    r.attempts::int AS recent_attempts, r.failures::int AS recent_failures
FROM webhook_endpoints e
CROSS JOIN LATERAL (
    SELECT count(*) AS attempts, count(*) FILTER (WHERE NOT a.delivered) AS failures
    FROM (SELECT x.delivered FROM webhook_attempts x WHERE x.org_id = e.org_id AND x.endpoint_id = e.id AND x.test IS NULL
        ORDER BY x.id DESC LIMIT 100) a
) r
WHERE e.org_id = @org_id AND e.deleted_at IS NULL AND (@id::bigint = 0 OR e.id = @id)
ORDER BY e.id LIMIT 50;

-- name: LockWebhookEndpoint :one
SELECT id FROM webhook_endpoints WHERE org_id = @org_id AND id = @id AND deleted_at IS NULL FOR UPDATE;

-- name: CountWebhookEndpoints :one
-- How many endpoints an organization has; adding one locks the organization.
SELECT (SELECT count(*) FROM webhook_endpoints e WHERE e.org_id = @org_id AND e.deleted_at IS NULL)::int AS endpoints
FROM organizations o WHERE o.id = @org_id FOR NO KEY UPDATE OF o;

-- name: CreateWebhookEndpoint :one
-- Behind a position, or when that is negative behind all that has one.
INSERT INTO webhook_endpoints (org_id, url, description, kinds, sealed_secret, position)
VALUES (@org_id, @url, @description, @kinds, @sealed_secret,
    CASE WHEN @position::bigint < 0 THEN (SELECT last_position FROM event_sequencer) ELSE @position END)
RETURNING id;

-- name: UpdateWebhookEndpoint :exec
-- An endpoint's settings. An endpoint that is enabled is tried at once.
UPDATE webhook_endpoints SET url = @url, description = @description, kinds = @kinds, is_active = @is_active,
    off_reason = CASE WHEN @is_active THEN NULL ELSE coalesce(off_reason, 'BY_CALLER') END,
    off_at = CASE WHEN @is_active THEN NULL ELSE coalesce(off_at, now()) END,
    failing_since = CASE WHEN is_active = @is_active THEN failing_since END,
    failures = CASE WHEN is_active = @is_active THEN failures ELSE 0 END,
    rests = CASE WHEN is_active = @is_active THEN rests ELSE 0 END,
    resting_until = NULL, updated_at = clock_timestamp()
WHERE org_id = @org_id AND id = @id AND deleted_at IS NULL;

-- name: DeleteWebhookEndpoint :exec
UPDATE webhook_endpoints SET deleted_at = now(), updated_at = clock_timestamp()
WHERE org_id = @org_id AND id = @id AND deleted_at IS NULL;

-- name: RotateWebhookSecret :exec
UPDATE webhook_endpoints SET sealed_previous = CASE WHEN @previous_until::timestamptz > now() THEN sealed_secret END,
    previous_until = CASE WHEN @previous_until::timestamptz > now() THEN @previous_until::timestamptz END,
    sealed_secret = @sealed_secret, updated_at = clock_timestamp()
WHERE org_id = @org_id AND id = @id AND deleted_at IS NULL;

-- name: WebhookEndpointsToWake :many
-- The endpoints whose workflow has work: active ones, and those that were just
-- disabled or removed, so that it ends.
SELECT id FROM webhook_endpoints
WHERE org_id = @org_id AND (is_active AND deleted_at IS NULL OR updated_at > now() - interval '10 minutes')
ORDER BY id LIMIT 200;

-- name: WebhookAttempts :many
-- Those before one, newest first.
SELECT id, position, place, coalesce(test, '')::text AS test, kind, number, at, duration_ms, delivered,
    coalesce(status, 0)::int AS status, coalesce(fault, '')::text AS fault, coalesce(answer, '')::text AS answer
FROM webhook_attempts
WHERE org_id = @org_id AND endpoint_id = @endpoint_id AND id < @before
  AND (sqlc.narg('delivered')::boolean IS NULL OR delivered = sqlc.narg('delivered')::boolean)
ORDER BY id DESC LIMIT @page_size::int;

-- name: WebhookAttemptsOfEvent :many
-- The attempts of one event, or of one test event, before one of them, newest
-- first.
SELECT id, position, place, coalesce(test, '')::text AS test, kind, number, at, duration_ms, delivered,
    coalesce(status, 0)::int AS status, coalesce(fault, '')::text AS fault, coalesce(answer, '')::text AS answer
FROM webhook_attempts
WHERE org_id = @org_id AND endpoint_id = @endpoint_id AND position = @position AND place = @place
  AND coalesce(test, '') = @test::text AND id < @before
  AND (sqlc.narg('delivered')::boolean IS NULL OR delivered = sqlc.narg('delivered')::boolean)
ORDER BY id DESC LIMIT @page_size::int;

-- name: AddWebhookAttempts :many
-- Their ids have the order of the rows.
INSERT INTO webhook_attempts (org_id, endpoint_id, position, place, test, kind, number, at, duration_ms, delivered,
    status, fault, answer)
SELECT @org_id, @endpoint_id, x.position, x.place, nullif(x.test, ''), x.kind, x.number, x.at, x.duration_ms, x.fault = '',
    nullif(x.status, 0), nullif(x.fault, ''), nullif(x.answer, '')
FROM (
    SELECT unnest(@positions::bigint[]) AS position, unnest(@places::bigint[]) AS place, unnest(@tests::text[]) AS test,
        unnest(@kinds::text[]) AS kind, unnest(@numbers::int[]) AS number, unnest(@ats::timestamptz[]) AS at,
        unnest(@durations_ms::int[]) AS duration_ms, unnest(@statuses::int[]) AS status, unnest(@faults::text[]) AS fault,
        unnest(@answers::text[]) AS answer, unnest(@seqs::int[]) AS seq
) x
ORDER BY x.seq
RETURNING id;

-- name: KeepWebhookDeliveries :exec
-- Stores events that were not accepted: they are tried again, or abandoned
-- when they have no next time.
INSERT INTO webhook_deliveries AS d (org_id, endpoint_id, position, place, first_at, attempts, next_at, gave_up_at)
SELECT @org_id, @endpoint_id, x.position, x.place, x.first_at, x.attempts,
    CASE WHEN x.next_at > 'epoch' THEN x.next_at END, CASE WHEN x.next_at <= 'epoch' THEN now() END
FROM (
    SELECT unnest(@positions::bigint[]) AS position, unnest(@places::bigint[]) AS place,
        unnest(@first_ats::timestamptz[]) AS first_at, unnest(@attempts::int[]) AS attempts,
        unnest(@next_ats::timestamptz[]) AS next_at
) x
ON CONFLICT (org_id, endpoint_id, position, place) DO UPDATE
SET attempts = excluded.attempts, next_at = excluded.next_at, gave_up_at = excluded.gave_up_at;

-- name: EndWebhookDeliveries :exec
-- Deletes accepted events from the waiting ones.
DELETE FROM webhook_deliveries d USING (SELECT unnest(@positions::bigint[]) AS position, unnest(@places::bigint[]) AS place) x
WHERE d.org_id = @org_id AND d.endpoint_id = @endpoint_id AND d.position = x.position AND d.place = x.place;

-- name: NoteWebhookTurn :one
-- Saves an endpoint's state after some attempts, and returns when its settings
-- last changed. The cursor never goes back, and concurrent changes of settings
-- take precedence.
UPDATE webhook_endpoints SET
    place = CASE WHEN @position > position THEN @place WHEN @position = position THEN greatest(place, @place) ELSE place END,
    position = greatest(position, @position),
    failing_since = CASE WHEN @failing_since::timestamptz > 'epoch' THEN @failing_since::timestamptz END,
    failures = @failures, rests = @rests,
    resting_until = CASE WHEN @resting_until::timestamptz > 'epoch' THEN @resting_until::timestamptz END,
    delivered_at = CASE WHEN @delivered_at::timestamptz > 'epoch' THEN @delivered_at::timestamptz ELSE delivered_at END
WHERE org_id = @org_id AND id = @id AND deleted_at IS NULL
RETURNING updated_at;

-- name: SwitchOffWebhookEndpoint :execrows
UPDATE webhook_endpoints SET is_active = false, off_reason = @reason::text, off_at = now(), updated_at = clock_timestamp()
WHERE org_id = @org_id AND id = @id AND is_active AND deleted_at IS NULL;

-- name: DueWebhookDeliveries :many
-- Events to retry by a time, most urgent first.
SELECT position, place, first_at, attempts, earlier FROM webhook_deliveries
WHERE org_id = @org_id AND endpoint_id = @endpoint_id AND next_at <= @by::timestamptz
ORDER BY next_at LIMIT @batch::int;

-- name: NextWebhookDelivery :one
-- The time of the next retry, and how many events wait; never is represented by the
-- year 1.
SELECT coalesce(min(next_at), '0001-01-01 00:00:00+00')::timestamptz AS next_at, count(*)::int AS waiting
FROM (SELECT next_at FROM webhook_deliveries WHERE org_id = @org_id AND endpoint_id = @endpoint_id AND next_at IS NOT NULL
    ORDER BY next_at LIMIT 20000) d;

-- name: TriedWebhookEvents :many
-- Events already tried after the cursor, by an interrupted turn.
SELECT a.position, a.place FROM webhook_attempts a
WHERE a.org_id = @org_id AND a.endpoint_id = @endpoint_id AND a.test IS NULL AND a.position >= @position
UNION
SELECT d.position, d.place FROM webhook_deliveries d
WHERE d.org_id = @org_id AND d.endpoint_id = @endpoint_id AND d.position >= @position
LIMIT 20000;

-- name: FeedEntries :many
-- Entries of the order status feed by their places.
SELECT f.position::bigint AS position, f.place::bigint AS place, f.is_last::boolean AS is_last, f.order_id::bigint AS order_id,
    coalesce(f.external_id, '')::text AS external_id, f.order_status_id::smallint AS order_status_id, f.status, f.occurred_at,
    f.driver_id, f.stop, coalesce(f.eta, 'epoch')::timestamptz AS eta, f.kind, coalesce(f.reason, '')::text AS reason,
    coalesce(f.comment, '')::text AS comment
FROM (SELECT unnest(@positions::bigint[]) AS position, unnest(@places::bigint[]) AS place) w
CROSS JOIN LATERAL (
    SELECT * FROM order_status_feed x WHERE x.org_id = @org_id AND x.position = w.position AND x.place = w.place OFFSET 0
) f
ORDER BY f.position, f.place;

-- name: ReplayWebhookSpan :execrows
-- Schedules the events of a span of the feed again, up to a batch; endpoint and
-- kinds select them.
INSERT INTO webhook_deliveries AS d (org_id, endpoint_id, position, place, first_at, attempts, earlier, next_at)
SELECT @org_id, @endpoint_id, f.position, f.place, now(), 0, (SELECT count(*) FROM webhook_attempts a
    WHERE a.org_id = @org_id AND a.endpoint_id = @endpoint_id AND a.position = f.position AND a.place = f.place
      AND a.test IS NULL), now()
FROM (
    SELECT x.position, x.place FROM order_status_feed x
    WHERE x.org_id = @org_id AND x.position BETWEEN @first::bigint AND @last::bigint
      AND (cardinality(@kinds::text[]) = 0 OR x.kind = ANY(@kinds::text[]))
    ORDER BY x.position, x.place LIMIT @batch::int
) f
ON CONFLICT (org_id, endpoint_id, position, place) DO UPDATE
SET first_at = excluded.first_at, attempts = 0, earlier = d.earlier + d.attempts, next_at = excluded.next_at,
    gave_up_at = NULL;

-- name: ReplayWebhookEvents :execrows
-- Has single events of the feed sent again.
INSERT INTO webhook_deliveries AS d (org_id, endpoint_id, position, place, first_at, attempts, earlier, next_at)
SELECT @org_id, @endpoint_id, f.position, f.place, now(), 0, (SELECT count(*) FROM webhook_attempts a
    WHERE a.org_id = @org_id AND a.endpoint_id = @endpoint_id AND a.position = f.position AND a.place = f.place
      AND a.test IS NULL), now()
FROM (SELECT DISTINCT unnest(@positions::bigint[]) AS position, unnest(@places::bigint[]) AS place) w
CROSS JOIN LATERAL (
    SELECT x.position, x.place FROM order_status_feed x
    WHERE x.org_id = @org_id AND x.position = w.position AND x.place = w.place OFFSET 0
) f
ON CONFLICT (org_id, endpoint_id, position, place) DO UPDATE
SET first_at = excluded.first_at, attempts = 0, earlier = d.earlier + d.attempts, next_at = excluded.next_at,
    gave_up_at = NULL;

-- name: ReplayWebhookFailures :execrows
-- Retries all failed and waiting deliveries now, up to a batch.
UPDATE webhook_deliveries d SET first_at = now(), attempts = 0, earlier = d.earlier + d.attempts, next_at = now(),
    gave_up_at = NULL
FROM (SELECT x.position, x.place FROM webhook_deliveries x WHERE x.org_id = @org_id AND x.endpoint_id = @endpoint_id
    ORDER BY x.position, x.place LIMIT @batch::int) f
WHERE d.org_id = @org_id AND d.endpoint_id = @endpoint_id AND d.position = f.position AND d.place = f.place;

-- name: WakeWebhookEndpoint :exec
-- Ends the pause of an endpoint, because a user wants to try it.
UPDATE webhook_endpoints SET resting_until = NULL WHERE org_id = @org_id AND id = @id;

-- name: ForgetWebhooks :one
SELECT forget_webhooks(@before::timestamptz, @batch::int, @dry::boolean)::int AS counted;
