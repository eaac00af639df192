-- name: ExportSubjects :many
-- Which of these orders are, or have become, subject to export: those of a type
-- with a carrier, and those that are marked and can still return. Each order is
-- looked up by its key, independent of the planner's statistics.
SELECT o.id, o.number, (o.status_id = 8)::boolean AS cancelled, coalesce(e.state, '')::text AS state,
    coalesce(e.reason, '')::text AS reason, e.fingerprint, e.exported_fingerprint
FROM unnest(@order_ids::bigint[]) AS k (id)
CROSS JOIN LATERAL (SELECT x.* FROM orders x WHERE x.org_id = @org_id AND x.id = k.id OFFSET 0) o
JOIN order_types t ON t.org_id = o.org_id AND t.id = o.order_type_id
LEFT JOIN LATERAL (SELECT x.* FROM order_exports x WHERE x.org_id = @org_id AND x.order_id = k.id OFFSET 0) e ON true
WHERE (e.order_id IS NULL AND t.export_carrier IS NOT NULL AND o.status_id <> 8)
   OR e.state <> 'closed'
   OR (e.reason = 'left' AND o.status_id <> 8 AND (t.export_carrier IS NOT NULL OR e.by_hand))
ORDER BY o.id;

-- name: BulkImportAtWork :one
-- Whether an import of several chunks that began lately is still at work.
SELECT EXISTS (
    SELECT FROM imports
    WHERE org_id = @org_id AND completed_at IS NULL AND chunks > 1 AND created_at > now() - interval '1 minute'
) AS working;

-- name: CountUnexported :one
-- How many of some orders have no export yet.
SELECT count(*) FROM unnest(@order_ids::bigint[]) AS k (id)
LEFT JOIN LATERAL (SELECT x.* FROM order_exports x WHERE x.org_id = @org_id AND x.order_id = k.id OFFSET 0) e ON true
WHERE e.order_id IS NULL;

-- name: FindExport :one
SELECT sqlc.embed(e) FROM order_exports e WHERE e.org_id = @org_id AND e.order_id = @order_id;

-- name: LockExport :one
-- The export of one order, locked until the end of the transaction, with the
-- organization's setting.
SELECT sqlc.embed(e), o.reexport, o.reexport_since, clock_timestamp()::timestamptz AS now
FROM order_exports e JOIN organizations o ON o.id = e.org_id
WHERE e.org_id = @org_id AND e.order_id = @order_id
FOR NO KEY UPDATE OF e;

-- name: ReexportSetting :one
-- Whether orders may return, and the database's clock.
SELECT reexport, reexport_since, clock_timestamp()::timestamptz AS now FROM organizations WHERE id = @org_id;

-- name: SaveExport :exec
-- Saves an export. An order that enters the feed goes to its end; one that is
-- already in it keeps its position.
INSERT INTO order_exports AS e (org_id, order_id, carrier, state, reason, by_hand, reexport, owed, place, version,
    fetched_version, exported_version, fingerprint, exported_fingerprint, acknowledgements, succeeded_at, closes_at)
VALUES (@org_id, @order_id, nullif(@carrier::text, ''), @state, nullif(@reason::text, ''), @by_hand, @reexport, @owed,
    CASE WHEN @state = 'pending' THEN nextval('export_place') END, @version, @fetched_version,
    @exported_version, @fingerprint, @exported_fingerprint, @acknowledgements, sqlc.narg('succeeded_at'),
    sqlc.narg('closes_at'))
ON CONFLICT (org_id, order_id) DO UPDATE SET
    carrier = excluded.carrier, state = excluded.state, reason = excluded.reason, by_hand = excluded.by_hand,
    reexport = excluded.reexport, owed = excluded.owed,
    place = CASE WHEN excluded.state = 'pending' THEN coalesce(e.place, excluded.place) END,
    version = excluded.version, fetched_version = excluded.fetched_version,
    exported_version = excluded.exported_version, fingerprint = excluded.fingerprint,
    exported_fingerprint = excluded.exported_fingerprint, acknowledgements = excluded.acknowledgements,
    succeeded_at = excluded.succeeded_at, closes_at = excluded.closes_at, updated_at = now();

-- name: OfferVersion :exec
INSERT INTO export_versions (org_id, order_id, version, token, fingerprint, payload)
VALUES (@org_id, @order_id, @version, @token, @fingerprint, @payload);

-- name: ForgetVersions :exec
-- Drops versions that were replaced or withdrawn before anyone fetched them.
DELETE FROM export_versions
WHERE org_id = @org_id AND order_id = @order_id AND version > @fetched_version AND version < @below;

-- name: LockOffered :one
-- The version of a token and the export of its order, locked until the end of
-- the transaction, with the organization's setting. The order is locked before
-- its export, as in all transactions that lock both.
SELECT v.version, v.fingerprint AS offered, o.number, sqlc.embed(e), g.reexport, g.reexport_since,
    clock_timestamp()::timestamptz AS now
FROM orders o
JOIN export_versions v ON v.org_id = o.org_id AND v.order_id = o.id AND v.token = @token
JOIN order_exports e ON e.org_id = o.org_id AND e.order_id = o.id
JOIN organizations g ON g.id = o.org_id
WHERE o.org_id = @org_id
    -- Found first, because the planner would look through all orders of an
    -- organization that it has no statistics of.
    AND o.id = (SELECT f.order_id FROM export_versions f WHERE f.org_id = @org_id AND f.token = @token)
FOR KEY SHARE OF o FOR NO KEY UPDATE OF e;

-- name: KeepAcknowledgement :exec
-- Keeps an acknowledgement that takes effect, and its entry in the order's
-- timeline.
WITH kept AS (
    INSERT INTO export_acknowledgements (org_id, order_id, version, status, failure_reason, carrier_shipment_id,
        idempotency_key, applied_at, counted, number, state)
    VALUES (@org_id, @order_id, @version, @status, nullif(@failure_reason::text, ''),
        nullif(@carrier_shipment_id::text, ''), nullif(@idempotency_key::text, ''), now(), true, @number::smallint,
        @state::text)
)
INSERT INTO external_updates (org_id, order_id, event_type, occurred_at, success, failure_reason, raw_body)
VALUES (@org_id, @order_id, @event_type, @occurred_at, @success, nullif(@failure_reason::text, ''), @raw_body);

-- name: AcknowledgementByKey :one
-- An earlier acknowledgement under the same key, and its result.
SELECT a.id, a.order_id, v.token, a.status, coalesce(a.failure_reason, '')::text AS failure_reason,
    coalesce(a.carrier_shipment_id, '')::text AS carrier_shipment_id, o.number AS order_number, a.counted,
    coalesce(a.number, 0)::smallint AS number, coalesce(a.state, '')::text AS state
FROM export_acknowledgements a
JOIN export_versions v ON v.org_id = a.org_id AND v.order_id = a.order_id AND v.version = a.version
JOIN orders o ON o.org_id = a.org_id AND o.id = a.order_id
WHERE a.org_id = @org_id AND a.idempotency_key = @idempotency_key::text
    AND o.id = (SELECT f.order_id FROM export_acknowledgements f
        WHERE f.org_id = @org_id AND f.idempotency_key = @idempotency_key::text);

-- name: CarrierShipmentID :one
-- The carrier's latest id for an order's shipment, or empty.
SELECT coalesce((
    SELECT a.carrier_shipment_id FROM export_acknowledgements a
    WHERE a.org_id = @org_id AND a.order_id = @order_id AND a.status = 'EXPORTED' AND a.carrier_shipment_id IS NOT NULL
    ORDER BY a.id DESC LIMIT 1
), '')::text AS carrier_shipment_id;

-- name: LockAcknowledgement :one
-- An acknowledgement that was received before it takes effect, as in releases
-- until v0.2.0, with its version. Its order is locked before its export, as in
-- all transactions that lock both.
SELECT a.order_id, a.version, a.status, coalesce(a.failure_reason, '')::text AS failure_reason,
    coalesce(a.carrier_shipment_id, '')::text AS carrier_shipment_id, a.counted,
    coalesce(a.number, 0)::smallint AS number, coalesce(a.state, '')::text AS state, v.fingerprint
FROM export_acknowledgements a
JOIN export_versions v ON v.org_id = a.org_id AND v.order_id = a.order_id AND v.version = a.version
JOIN orders o ON o.org_id = a.org_id AND o.id = a.order_id
WHERE a.org_id = @org_id AND a.id = @id
FOR KEY SHARE OF o FOR NO KEY UPDATE OF a;

-- name: ApplyAcknowledgement :exec
-- Notes that an acknowledgement has taken effect.
UPDATE export_acknowledgements SET applied_at = now(), counted = @counted::boolean, number = sqlc.narg('number'),
    state = @state::text
WHERE org_id = @org_id AND id = @id;

-- name: FeedTotal :one
-- How many shipments the feed holds now, and the last place in it.
SELECT count(*) AS total, coalesce(max(place), 0)::bigint AS until FROM export_feed WHERE org_id = @org_id;

-- name: FeedEnds :one
-- Where the next pages behind a place end; fewer when the walk ends before.
SELECT coalesce(array_agg(x.place ORDER BY x.place), '{}')::bigint[] AS ends
FROM (
    SELECT f.place, row_number() OVER (ORDER BY f.place) AS n
    FROM export_feed f
    WHERE f.org_id = @org_id AND f.place > @after::bigint AND f.place <= @until::bigint
    ORDER BY f.place LIMIT @most::bigint
) x
WHERE mod(x.n, @page_size::bigint) = 0;

-- name: FetchFeed :many
-- The shipments between two positions, marked as possibly known to the carrier.
-- A shipment that changes concurrently is not fresh. One that becomes an update
-- concurrently is an update.
WITH page AS (
    SELECT f.order_id, f.carrier, f.place, f.version, f.fetched_version, f.is_update
    FROM export_feed f
    WHERE f.org_id = @org_id AND f.place > @after::bigint AND f.place <= @until::bigint
    ORDER BY f.place LIMIT @page_size::int
), given AS (
    UPDATE order_exports e SET fetched_version = e.version
    FROM page p
    WHERE e.org_id = @org_id AND e.order_id = p.order_id AND p.fetched_version < p.version AND e.version = p.version
      AND e.state = 'pending'
    RETURNING e.order_id, e.exported_version > 0 AS is_update
)
SELECT p.place::bigint AS place, coalesce(p.carrier, '')::text AS carrier, v.token,
    coalesce(g.is_update, p.is_update)::boolean AS is_update, v.payload,
    (p.fetched_version = p.version OR g.order_id IS NOT NULL)::boolean AS fresh
FROM page p
LEFT JOIN given g ON g.order_id = p.order_id
JOIN export_versions v ON v.org_id = @org_id AND v.order_id = p.order_id AND v.version = p.version
ORDER BY p.place;

-- name: FindWalk :one
SELECT per_page, total, until, ends FROM export_walks WHERE org_id = @org_id AND walker = @walker;

-- name: SaveWalk :exec
INSERT INTO export_walks (org_id, walker, per_page, total, until, ends)
VALUES (@org_id, @walker, @per_page, @total, @until, @ends)
ON CONFLICT (org_id, walker) DO UPDATE SET per_page = excluded.per_page, total = excluded.total, until = excluded.until,
    ends = excluded.ends, started_at = now();

-- name: ExtendWalk :exec
-- Records where the next pages of a walk end, unless it was restarted
-- meanwhile.
UPDATE export_walks SET ends = @ends
WHERE org_id = @org_id AND walker = @walker AND until = @until AND per_page = @per_page
    AND cardinality(ends) < cardinality(@ends::bigint[]);

-- name: ExportedPayload :one
-- The payload that the carrier has acknowledged as exported, or empty.
SELECT coalesce((
    SELECT v.payload FROM export_versions v
    WHERE v.org_id = @org_id AND v.order_id = @order_id AND v.version = @version), '')::text AS payload;

-- name: ShipmentNames :one
-- The names of the identifiers in these orders, as one document.
WITH wanted AS (
    SELECT o.* FROM unnest(@order_ids::bigint[]) AS k (id) JOIN orders o ON o.org_id = @org_id AND o.id = k.id
), stops AS (
    SELECT s.id, s.location_id FROM wanted w JOIN order_stops s ON s.org_id = w.org_id AND s.order_id = w.id
), skills_used AS (
    SELECT k.skill_id FROM stops s JOIN stop_skills k ON k.org_id = @org_id AND k.stop_id = s.id
    UNION
    SELECT k.skill_id FROM wanted w JOIN order_products p ON p.org_id = w.org_id AND p.order_id = w.id
    JOIN order_product_skills k ON k.org_id = p.org_id AND k.order_product_id = p.id
)
SELECT jsonb_build_object(
    'carriers', (SELECT coalesce(jsonb_object_agg(w.id, t.export_carrier), '{}') FROM wanted w
        JOIN order_types t ON t.org_id = w.org_id AND t.id = w.order_type_id WHERE t.export_carrier IS NOT NULL),
    'serials', (SELECT coalesce(jsonb_object_agg(w.id, w.serial), '{}') FROM wanted w),
    'numbers', (SELECT coalesce(jsonb_object_agg(x.order_id, x.numbers), '{}') FROM (
        SELECT n.order_id, jsonb_agg(n.number ORDER BY n.number) AS numbers
        FROM wanted w JOIN order_numbers n ON n.org_id = w.org_id AND n.order_id = w.id AND n.cancelled_at IS NULL
        GROUP BY n.order_id) x),
    'parties', (SELECT coalesce(jsonb_object_agg(c.id,
        jsonb_build_object('externalId', coalesce(c.external_id, ''), 'businessName', c.business_name)), '{}')
        FROM (SELECT customer_id AS id FROM wanted
            UNION SELECT consignee_id FROM wanted UNION SELECT consignor_id FROM wanted) p
        JOIN customers c ON c.org_id = @org_id AND c.id = p.id),
    'departments', (SELECT coalesce(jsonb_object_agg(d.id, d.name), '{}')
        FROM (SELECT DISTINCT department_id AS id FROM wanted) w
        JOIN departments d ON d.org_id = @org_id AND d.id = w.id),
    'orderTypes', (SELECT coalesce(jsonb_object_agg(t.id, t.name), '{}')
        FROM (SELECT DISTINCT order_type_id AS id FROM wanted) w
        JOIN order_types t ON t.org_id = @org_id AND t.id = w.id),
    'vehicleTypes', (SELECT coalesce(jsonb_object_agg(t.id, t.name), '{}')
        FROM (SELECT DISTINCT vehicle_type_id AS id FROM wanted) w
        JOIN vehicle_types t ON t.org_id = @org_id AND t.id = w.id),
    'locations', (SELECT coalesce(jsonb_object_agg(l.id, l.external_id), '{}')
        FROM (SELECT DISTINCT location_id AS id FROM stops) s
        JOIN locations l ON l.org_id = @org_id AND l.id = s.id WHERE l.external_id IS NOT NULL),
    'skills', (SELECT coalesce(jsonb_object_agg(k.id, k.name), '{}') FROM skills_used u
        JOIN skills k ON k.org_id = @org_id AND k.id = u.skill_id),
    'groups', (SELECT coalesce(jsonb_object_agg(g.id, g.name), '{}') FROM (
        SELECT DISTINCT m.group_id AS id FROM wanted w JOIN order_group_members m ON m.org_id = w.org_id
            AND m.order_id = w.id) x
        JOIN order_groups g ON g.org_id = @org_id AND g.id = x.id),
    'customFields', (SELECT coalesce(jsonb_object_agg(f.id, f.external_id), '{}') FROM (
        SELECT DISTINCT v.definition_id AS id FROM wanted w JOIN custom_field_values v ON v.org_id = w.org_id
            AND v.order_id = w.id) x
        JOIN custom_field_definitions f ON f.org_id = @org_id AND f.id = x.id),
    'prices', (SELECT o.shipment_prices FROM organizations o WHERE o.id = @org_id)
)::jsonb AS document;
