-- name: StageRecurringOrder :one
-- Stores the new content of a template, and reserves its id.
INSERT INTO recurring_order_changes (org_id, recurring_order_id, creates, change)
VALUES (@org_id, nextval(pg_get_serial_sequence('recurring_orders', 'id')), true, @change::text)
RETURNING id, recurring_order_id;

-- name: StageRecurringOrderChange :one
-- Keeps a change of a template until it is made, and forgets those of the same
-- template that ended long ago.
WITH forgotten AS (
    DELETE FROM recurring_order_changes c
    WHERE c.org_id = @org_id AND c.recurring_order_id = @recurring_order_id AND c.done_at < now() - interval '1 hour'
)
INSERT INTO recurring_order_changes (org_id, recurring_order_id, creates, change)
VALUES (@org_id, @recurring_order_id, false, @change::text)
RETURNING id;

-- name: IsRecurringOrderStaged :one
-- Whether a template with this id, or a change of it, was requested.
SELECT EXISTS (SELECT FROM recurring_order_changes WHERE org_id = @org_id AND recurring_order_id = @recurring_order_id);

-- name: AbandonRecurringOrderChange :execrows
-- Takes a change back unless it is done.
DELETE FROM recurring_order_changes WHERE org_id = @org_id AND id = @id AND done_at IS NULL;

-- name: LockRecurringOrderChange :one
-- Locks a change for this transaction. A second caller waits, and then finds it
-- done. The events of this transaction name the user who requested the change.
SELECT recurring_order_id, creates, coalesce(change, '')::text AS change, (done_at IS NOT NULL)::boolean AS done,
    (refusal IS NOT NULL)::boolean AS refused,
    set_config('app.actor', coalesce(actor, current_setting('app.actor')), true)::text AS actor
FROM recurring_order_changes WHERE org_id = @org_id AND id = @id
FOR UPDATE;

-- name: FinishRecurringOrderChange :exec
UPDATE recurring_order_changes SET change = NULL, done_at = now(), refusal = sqlc.narg('refusal')
WHERE org_id = @org_id AND id = @id;

-- name: RecurringOrderRefusal :one
SELECT refusal FROM recurring_order_changes WHERE org_id = @org_id AND id = @id;

-- name: ReadRecurringOrder :one
SELECT sqlc.embed(r) FROM recurring_order_details r WHERE r.org_id = @org_id AND r.id = @id;

-- name: OrganizationZone :one
SELECT timezone FROM organizations WHERE id = @org_id;

-- name: LockRecurringOrder :one
-- Locks a template for this transaction, so that saving, pausing and generating
-- take turns.
SELECT id FROM recurring_orders WHERE org_id = @org_id AND id = @id FOR UPDATE;

-- name: ListRecurringOrders :many
-- Templates by id, with their total number.
SELECT count(*) OVER () AS total, sqlc.embed(r)
FROM recurring_order_details r
WHERE r.org_id = @org_id
  AND (sqlc.narg('is_active')::boolean IS NULL OR r.is_active = sqlc.narg('is_active')::boolean)
  AND (sqlc.narg('customer_id')::bigint IS NULL OR r.customer_id = sqlc.narg('customer_id')::bigint)
  AND (sqlc.narg('start_from')::timestamptz IS NULL OR r.start_date >= sqlc.narg('start_from')::timestamptz)
  AND (sqlc.narg('start_to')::timestamptz IS NULL OR r.start_date <= sqlc.narg('start_to')::timestamptz)
ORDER BY r.id
LIMIT @page_size::int OFFSET @skip::int;

-- name: PutRecurringOrder :exec
-- Writes a template under its id. Generated occurrences stay; new ones are due. A completed template
-- may become active again.
INSERT INTO recurring_orders (org_id, id, name, customer_id, order_type_id, vehicle_type_id, pickup_location_id,
    delivery_location_id, order_template, rruleset, start_date, end_date, days_to_generate_ahead, is_active, is_paused,
    version, applied_from, owes)
VALUES (@org_id, @id, @name, @customer_id, @order_type_id, @vehicle_type_id, @pickup_location_id, @delivery_location_id,
    @order_template, @rruleset, @start_date, sqlc.narg('end_date'), @days_to_generate_ahead, @is_active, @is_paused,
    @version, @applied_from, @owes)
ON CONFLICT (org_id, id) DO UPDATE SET
    name = excluded.name, customer_id = excluded.customer_id, order_type_id = excluded.order_type_id,
    vehicle_type_id = excluded.vehicle_type_id, pickup_location_id = excluded.pickup_location_id,
    delivery_location_id = excluded.delivery_location_id, order_template = excluded.order_template,
    rruleset = excluded.rruleset, start_date = excluded.start_date, end_date = excluded.end_date,
    days_to_generate_ahead = excluded.days_to_generate_ahead, is_active = excluded.is_active,
    is_paused = excluded.is_paused, version = excluded.version, applied_from = excluded.applied_from, owes = excluded.owes,
    generated_through = sqlc.narg('generated_through'), is_complete = false, updated_at = now();

-- name: PauseRecurringOrder :execrows
UPDATE recurring_orders SET is_paused = @paused::boolean, owes = NOT @paused::boolean, is_complete = false,
    updated_at = now()
WHERE org_id = @org_id AND id = @id AND is_active AND is_paused <> @paused::boolean;

-- name: LockLiveLocations :many
-- Protects locations from deletion until the end of the transaction, and
-- returns those that exist.
SELECT id FROM locations WHERE org_id = @org_id AND id = ANY (@ids::bigint[]) AND deleted_at IS NULL ORDER BY id
    FOR SHARE;

-- name: FindOccurrences :many
-- The generated occurrences of a template from a day on, and their state.
-- The order is the one with the number, regardless of its origin.
SELECT c.occurrence, c.number, c.at, c.date, c.version, (c.withdrawn_at IS NOT NULL)::boolean AS withdrawn,
    coalesce(o.id, 0)::bigint AS order_id, coalesce(o.status_id, 0)::smallint AS status_id,
    (o.edited_at IS NOT NULL)::boolean AS edited,
    EXISTS (SELECT FROM bookings b WHERE b.org_id = c.org_id
        AND (b.order_id = o.id OR b.draft_id = d.id))::boolean AS booked,
    (n.cancelled_at IS NOT NULL)::boolean AS cancelled, coalesce(d.id, 0)::bigint AS draft_id,
    coalesce(d.state, '')::text AS draft_state
FROM recurring_occurrences c
LEFT JOIN order_numbers n ON n.org_id = c.org_id AND n.number = c.number
LEFT JOIN orders o ON o.org_id = n.org_id AND o.id = n.order_id
LEFT JOIN drafts d ON d.org_id = c.org_id AND d.external_id = c.number
WHERE c.org_id = @org_id AND c.recurring_order_id = @recurring_order_id AND c.date >= @from_date
ORDER BY c.at, c.occurrence;

-- name: AnyEdited :one
-- Whether one of these orders was edited after its template wrote it.
SELECT EXISTS (SELECT FROM unnest(@ids::bigint[]) AS k (id)
    CROSS JOIN LATERAL (SELECT o.edited_at FROM orders o WHERE o.org_id = @org_id AND o.id = k.id OFFSET 0) o
    WHERE o.edited_at IS NOT NULL)::boolean AS edited;

-- name: PutOccurrences :exec
-- Records generated occurrences, and by which version. Withdrawing records
-- the time.
INSERT INTO recurring_occurrences AS c (org_id, recurring_order_id, occurrence, number, at, date, version, withdrawn_at)
SELECT @org_id, @recurring_order_id, x.occurrence, x.number, x.at, x.date, @version,
    CASE WHEN x.withdrawn THEN now() END
FROM (
    SELECT unnest(@occurrences::text[]) AS occurrence, unnest(@numbers::text[]) AS number,
        unnest(@ats::timestamptz[]) AS at, unnest(@dates::date[]) AS date, unnest(@withdrawns::boolean[]) AS withdrawn
) x
ON CONFLICT (org_id, recurring_order_id, occurrence) DO UPDATE SET version = excluded.version,
    withdrawn_at = CASE WHEN excluded.withdrawn_at IS NOT NULL THEN coalesce(c.withdrawn_at, excluded.withdrawn_at) END;

-- name: DiscardDrafts :many
-- Discards the drafts of numbers that never became orders.
UPDATE drafts SET state = 'discarded', updated_at = now()
WHERE org_id = @org_id AND external_id = ANY (@numbers::text[]) AND state = 'incomplete'
RETURNING id, coalesce(external_id, '')::text AS external_id;

-- name: NoteGenerated :exec
-- Keeps the statistics of a template.
UPDATE recurring_orders SET
    generated_count = generated_count + @generated::bigint,
    generated_through = coalesce(sqlc.narg('generated_through')::date, generated_through),
    last_generated_at = CASE WHEN @worked::boolean THEN now() ELSE last_generated_at END,
    next_run_at = sqlc.narg('next_run_at'), owes = @owes::boolean, is_complete = @is_complete::boolean,
    applied_to = greatest(applied_to, @applied_to::bigint), announced = greatest(announced, @announced::bigint),
    last_error = CASE WHEN @worked::boolean THEN nullif(@failure::text, '') ELSE last_error END
WHERE org_id = @org_id AND id = @id;

-- name: NoteGenerationError :exec
-- Records the failure of a template, whose occurrences remain due.
UPDATE recurring_orders SET last_error = @failure::text, next_run_at = @next_run_at::timestamptz, owes = true
WHERE org_id = @org_id AND id = @id;

-- name: ActiveTemplates :many
-- The active templates of an organization after one of them, by id.
SELECT id FROM recurring_orders WHERE org_id = @org_id AND is_active AND id > @after
ORDER BY id LIMIT @most::int;
