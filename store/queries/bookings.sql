-- name: FreightClasses :one
-- The organization's classifications of orders, and its time zone.
SELECT o.timezone, freight_classes(o.id)::jsonb AS document FROM organizations o WHERE o.id = @org_id;

-- name: PriceTables :one
-- All that prices are computed from, as one document.
SELECT (freight_classes(@org_id) || jsonb_build_object(
    'priceLists', (SELECT coalesce(jsonb_agg(jsonb_build_object('name', p.name, 'currency', p.currency,
        'minimumPrice', p.minimum_price,
        'orderTypes', (SELECT coalesce(jsonb_agg(t.order_type_id ORDER BY t.order_type_id), '[]')
            FROM price_list_order_types t WHERE t.org_id = p.org_id AND t.price_list_id = p.id),
        'lines', (SELECT coalesce(jsonb_agg(jsonb_build_object('fromZone', coalesce(x.from_zone_id, 0),
            'toZone', coalesce(x.to_zone_id, 0), 'freightLevel', coalesce(x.freight_level_id, 0), 'base', x.base,
            'perKg', x.per_kg, 'perColli', x.per_colli) ORDER BY x.seq), '[]')
            FROM price_list_lines x WHERE x.org_id = p.org_id AND x.price_list_id = p.id)) ORDER BY p.seq, p.id), '[]')
        FROM price_lists p WHERE p.org_id = @org_id AND p.is_active)
))::jsonb AS document;

-- name: FindIntervals :many
-- Bookable intervals, or the one with an id other than 0, with the numbers of
-- booked and held seats on a day.
SELECT i.id, i.rrule, i.day, i.pickup_earliest, i.pickup_latest, i.delivery_earliest, i.delivery_latest, i.slots,
    coalesce(d.booked, 0)::int AS booked,
    (CASE WHEN d.day IS NULL THEN 0 ELSE seats_held(d.org_id, d.interval_id, d.day) END)::int AS held,
    i.order_types::jsonb AS order_types, i.from_to_zones::jsonb AS from_to_zones,
    i.freight_levels::jsonb AS freight_levels
FROM bookable_intervals i
LEFT JOIN schedule_interval_days d ON d.org_id = i.org_id AND d.interval_id = i.id AND d.day = @day
WHERE i.org_id = @org_id AND (@interval_id::bigint = 0 OR i.id = @interval_id)
ORDER BY i.id;

-- name: SeatsOfDays :many
-- How many seats of intervals are taken and held on some days. Days without any
-- are left out.
SELECT d.interval_id, d.day, d.booked, seats_held(d.org_id, d.interval_id, d.day)::int AS held
FROM schedule_interval_days d
WHERE d.org_id = @org_id AND d.interval_id = ANY (@intervals::bigint[]) AND d.day BETWEEN @first::date AND @last::date;

-- name: HoldSeat :one
-- Holds a seat of an interval on a day.
SELECT s.hold_id::bigint AS id, s.hold_ends::timestamptz AS ends_at
FROM hold_seat(@interval_id::bigint, @day::date, @seconds::int) s;

-- name: ReleaseHold :execrows
DELETE FROM schedule_holds h WHERE h.org_id = @org_id AND h.id = @id AND h.ends_at > now();

-- name: FindBookableOrderType :one
-- An active order type by its id, or by its name, ignoring case.
SELECT t.id, t.name FROM order_types t
WHERE t.org_id = @org_id AND t.is_active AND (t.id = @id OR lower(t.name) = lower(@name::text))
ORDER BY t.id = @id DESC
LIMIT 1;

-- name: BookAheadOf :one
-- The bounds that an order type sets to booking.
SELECT t.name, t.min_book_ahead_minutes, t.max_book_ahead_minutes
FROM order_types t WHERE t.org_id = @org_id AND t.id = @id;

-- name: OrderToBook :one
-- The data that decides whether an order fits an interval, in the version
-- named by its row's xmin: every change of an order rewrites the row. Without
-- zones and freight levels the order needs no class. The same round trip
-- returns the interval on a day; its id is 0 when it does not exist.
SELECT o.status_id, o.date, o.order_type_id, t.name AS order_type, t.min_book_ahead_minutes, t.max_book_ahead_minutes,
    EXISTS (SELECT FROM bookings b WHERE b.org_id = o.org_id AND b.order_id = o.id) AS booked,
    g.timezone, o.xmin::text AS version,
    (CASE WHEN EXISTS (SELECT FROM zones z WHERE z.org_id = o.org_id AND z.is_active)
            OR EXISTS (SELECT FROM freight_levels l WHERE l.org_id = o.org_id AND l.is_active)
        THEN jsonb_build_object(
            'classes', freight_classes(o.org_id),
            'places', (SELECT jsonb_object_agg(s.kind,
                jsonb_build_object('country', coalesce(s.country, ''), 'postalCode', coalesce(s.postal_code, '')))
                FROM order_stops s WHERE s.org_id = o.org_id AND s.order_id = o.id),
            'products', (SELECT jsonb_agg(jsonb_build_object('id', x.id, 'parentId', coalesce(x.parent_id, 0),
                'quantity', x.quantity, 'weight', x.weight, 'length', x.length, 'width', x.width, 'height', x.height)
                ORDER BY x.id)
                FROM order_products x WHERE x.org_id = o.org_id AND x.order_id = o.id))
        ELSE '{}' END)::jsonb AS classing,
    coalesce(i.id, 0)::bigint AS interval_id, i.rrule, i.day,
    coalesce(i.pickup_earliest, 0)::smallint AS pickup_earliest,
    coalesce(i.pickup_latest, 0)::smallint AS pickup_latest,
    coalesce(i.delivery_earliest, 0)::smallint AS delivery_earliest,
    coalesce(i.delivery_latest, 0)::smallint AS delivery_latest, coalesce(i.slots, 0)::int AS slots,
    coalesce(d.booked, 0)::int AS taken,
    (CASE WHEN d.day IS NULL THEN 0 ELSE seats_held(d.org_id, d.interval_id, d.day) END)::int AS held,
    i.order_types::jsonb AS order_types, i.from_to_zones::jsonb AS from_to_zones,
    i.freight_levels::jsonb AS freight_levels
FROM orders o
JOIN organizations g ON g.id = o.org_id
JOIN order_types t ON t.org_id = o.org_id AND t.id = o.order_type_id
LEFT JOIN bookable_intervals i ON i.org_id = o.org_id AND i.id = @interval_id
LEFT JOIN schedule_interval_days d ON d.org_id = o.org_id AND d.interval_id = @interval_id AND d.day = @on_day
WHERE o.org_id = @org_id AND o.id = @order_id;

-- name: DraftToBook :one
-- What decides whether a draft fits an interval, in this version.
SELECT d.id, d.state, d.request, d.defaults,
    EXISTS (SELECT FROM bookings b WHERE b.org_id = d.org_id AND b.draft_id = d.id) AS booked, d.xmin::text AS version
FROM drafts d
WHERE d.org_id = @org_id AND d.id = @draft_id;

-- name: LockDraft :one
-- Locks a draft until the end of the transaction.
SELECT d.id, coalesce(d.external_id, '')::text AS external_id, d.state FROM drafts d
WHERE d.org_id = @org_id AND d.id = @draft_id
FOR UPDATE;

-- name: TakeSeat :one
-- Takes a seat of an interval on a day for an order or a draft (the other is 0)
-- in the version that was judged; by a hold, when that is not 0.
SELECT s.taken_at::timestamptz AS taken_at, s.taken::int AS taken
FROM take_seat(@order_id::bigint, @draft_id::bigint, @version::text, @interval_id::bigint, @day::date,
    @pickup_earliest::timestamptz, @pickup_latest::timestamptz, @delivery_earliest::timestamptz,
    @delivery_latest::timestamptz, @hold::bigint) s;

-- name: FindBooking :one
-- The booking of an order or of a draft; the other is 0.
SELECT b.interval_id, b.day, b.booked_at, b.pickup_earliest, b.pickup_latest, b.delivery_earliest, b.delivery_latest
FROM bookings b
WHERE b.org_id = @org_id AND (b.order_id = @order_id OR b.draft_id = @draft_id);

-- name: DraftExists :one
SELECT EXISTS (SELECT FROM drafts d WHERE d.org_id = @org_id AND d.id = @draft_id);

-- name: ReleaseSeats :exec
-- Ends the bookings of these orders and drafts: frees their seats, and restores
-- the windows of the orders' stops. Locks the counters in order, because
-- several may change at once. Repeats the ids in each part, because a planner
-- without statistics of an organization would otherwise scan all of its orders.
WITH gone AS (
    DELETE FROM bookings b
    WHERE b.org_id = @org_id AND (b.order_id = ANY (@order_ids::bigint[]) OR b.draft_id = ANY (@draft_ids::bigint[]))
    RETURNING b.*
), counted AS (
    SELECT g.interval_id, g.day, count(*)::int AS seats FROM gone g GROUP BY g.interval_id, g.day
), locked AS (
    SELECT d.interval_id, d.day, c.seats FROM schedule_interval_days d JOIN counted c ON c.interval_id = d.interval_id
        AND c.day = d.day
    WHERE d.org_id = @org_id ORDER BY d.interval_id, d.day FOR UPDATE OF d
), freed AS (
    UPDATE schedule_interval_days d SET booked = d.booked - l.seats FROM locked l
    WHERE d.org_id = @org_id AND d.interval_id = l.interval_id AND d.day = l.day
), windows AS (
    UPDATE order_stops s SET
        earliest = CASE s.kind WHEN 'pickup' THEN g.own_pickup_earliest ELSE g.own_delivery_earliest END,
        latest = CASE s.kind WHEN 'pickup' THEN g.own_pickup_latest ELSE g.own_delivery_latest END,
        window_source = CASE s.kind WHEN 'pickup' THEN g.own_pickup_source ELSE g.own_delivery_source END
    FROM gone g WHERE s.org_id = @org_id AND s.order_id = ANY (@order_ids::bigint[]) AND s.order_id = g.order_id
), touched AS (
    UPDATE orders o SET updated_at = now() FROM gone g
    WHERE o.org_id = @org_id AND o.id = ANY (@order_ids::bigint[]) AND o.id = g.order_id
)
INSERT INTO events (org_id, kind, subject_type, subject_id, order_id, draft_id, external_id)
SELECT g.org_id, CASE WHEN g.order_id IS NOT NULL THEN 'order.booking_cancelled' ELSE 'draft.booking_cancelled' END,
    CASE WHEN g.order_id IS NOT NULL THEN 'order' ELSE 'draft' END, coalesce(g.order_id, g.draft_id), g.order_id,
        g.draft_id, coalesce(
        (SELECT o.number FROM orders o WHERE o.org_id = @org_id AND o.id = g.order_id),
        (SELECT d.external_id FROM drafts d WHERE d.org_id = @org_id AND d.id = g.draft_id))
FROM gone g
ORDER BY g.id;

-- name: MoveBookings :exec
-- Moves the bookings of drafts that were just promoted to their orders. An
-- order keeps its own booking, or takes the oldest.
WITH moving AS (
    SELECT DISTINCT ON (d.order_id) b.id, d.order_id FROM drafts d
    JOIN bookings b ON b.org_id = d.org_id AND b.draft_id = d.id
    WHERE d.org_id = @org_id AND d.id = ANY (@draft_ids::bigint[]) AND d.state = 'promoted'
      AND NOT EXISTS (SELECT FROM bookings o WHERE o.org_id = d.org_id AND o.order_id = d.order_id)
    ORDER BY d.order_id, b.id
), moved AS (
    UPDATE bookings b SET order_id = m.order_id, draft_id = NULL FROM moving m
    WHERE b.org_id = @org_id AND b.id = m.id
    RETURNING b.org_id, b.order_id
)
INSERT INTO events (org_id, kind, subject_type, subject_id, order_id, external_id)
SELECT m.org_id, 'order.booked', 'order', m.order_id, m.order_id,
    (SELECT o.number FROM orders o WHERE o.org_id = @org_id AND o.id = m.order_id)
FROM moved m;

-- name: KeepBookedWindows :exec
-- Restores the booked windows of stops of booked orders that were
-- overwritten; the overwriting values become the windows that apply when
-- the booking ends.
WITH kept AS (
    UPDATE bookings b SET
        own_pickup_earliest = CASE WHEN p.window_source = 'booking' THEN b.own_pickup_earliest ELSE p.earliest END,
        own_pickup_latest = CASE WHEN p.window_source = 'booking' THEN b.own_pickup_latest ELSE p.latest END,
        own_pickup_source = CASE WHEN p.window_source = 'booking' THEN b.own_pickup_source ELSE p.window_source END,
        own_delivery_earliest = CASE WHEN d.window_source = 'booking' THEN b.own_delivery_earliest ELSE d.earliest END,
        own_delivery_latest = CASE WHEN d.window_source = 'booking' THEN b.own_delivery_latest ELSE d.latest END,
        own_delivery_source = CASE WHEN d.window_source = 'booking' THEN b.own_delivery_source ELSE d.window_source END
    FROM order_stops p, order_stops d
    WHERE b.org_id = @org_id AND b.order_id = ANY (@order_ids::bigint[])
      AND p.org_id = @org_id AND p.order_id = ANY (@order_ids::bigint[]) AND p.order_id = b.order_id
          AND p.kind = 'pickup'
      AND d.org_id = @org_id AND d.order_id = ANY (@order_ids::bigint[]) AND d.order_id = b.order_id
          AND d.kind = 'delivery'
      AND (p.window_source <> 'booking' OR d.window_source <> 'booking')
    RETURNING b.org_id, b.order_id, b.pickup_earliest, b.pickup_latest, b.delivery_earliest, b.delivery_latest
)
UPDATE order_stops s SET window_source = 'booking',
    earliest = CASE s.kind WHEN 'pickup' THEN k.pickup_earliest ELSE k.delivery_earliest END,
    latest = CASE s.kind WHEN 'pickup' THEN k.pickup_latest ELSE k.delivery_latest END
FROM kept k WHERE s.org_id = @org_id AND s.order_id = ANY (@order_ids::bigint[]) AND s.order_id = k.order_id;

-- name: SeatWasFreed :one
-- Whether a cancelled order lost its seat by the cancellation: both happen in
-- one transaction, which has one time. The index by subject contains the events
-- that have a position; the few others are stored together.
SELECT EXISTS (
    SELECT FROM orders o JOIN events e ON e.org_id = o.org_id AND e.subject_type = 'order' AND e.subject_id = o.id
    WHERE o.org_id = @org_id AND o.id = @order_id AND e.kind = 'order.booking_cancelled' AND e.recorded_at = o.cancelled_at
      AND e.position IS NOT NULL
    UNION ALL
    SELECT FROM orders o JOIN events e ON e.org_id = o.org_id AND e.subject_type = 'order' AND e.subject_id = o.id
    WHERE o.org_id = @org_id AND o.id = @order_id AND e.kind = 'order.booking_cancelled' AND e.recorded_at = o.cancelled_at
      AND e.position IS NULL
);
