-- name: LockDriving :one
-- The data of a locked order that the rules of driving need: its driver, its
-- lock, and its prohibited drivers.
SELECT coalesce(o.driver_id, 0)::bigint AS driver_id, o.updated_at,
    coalesce((SELECT l.driver_id FROM order_driver_locks l WHERE l.org_id = o.org_id AND l.order_id = o.id), 0)::bigint
        AS locked_to,
    ARRAY (
        SELECT p.driver_id FROM order_prohibited_drivers p WHERE p.org_id = o.org_id AND p.order_id = o.id
        UNION
        SELECT p.driver_id FROM customer_prohibited_drivers p WHERE p.org_id = o.org_id AND p.customer_id = o.customer_id
        UNION
        SELECT p.driver_id FROM location_prohibited_drivers p
        JOIN order_stops s ON s.org_id = p.org_id AND s.location_id = p.location_id
        WHERE s.org_id = o.org_id AND s.order_id = o.id
        ORDER BY 1
    )::bigint[] AS prohibited
FROM orders o WHERE o.org_id = @org_id AND o.id = @id;

-- name: OrderVersion :one
-- When an order was last changed.
SELECT updated_at FROM orders WHERE org_id = @org_id AND id = @id;

-- name: MoveOrder :one
-- Writes an order's status and driver; this does not count as an edit.
UPDATE orders SET status_id = @status_id, driver_id = nullif(@driver_id::bigint, 0), updated_at = now()
WHERE org_id = @org_id AND id = @id RETURNING updated_at;

-- name: ProhibitedDrivers :many
-- The drivers prohibited for an order itself.
SELECT p.driver_id, d.name, coalesce(p.reason, '')::text AS reason
FROM order_prohibited_drivers p JOIN drivers d ON d.org_id = p.org_id AND d.id = p.driver_id
WHERE p.org_id = @org_id AND p.order_id = @order_id ORDER BY p.driver_id;

-- name: SetProhibitedDrivers :exec
-- Replaces the drivers prohibited for an order.
WITH wanted AS (
    SELECT unnest(@driver_ids::bigint[]) AS driver_id, unnest(@reasons::text[]) AS reason
), removed AS (
    DELETE FROM order_prohibited_drivers t
    WHERE t.org_id = @org_id AND t.order_id = @order_id AND NOT t.driver_id = ANY (@driver_ids::bigint[])
)
INSERT INTO order_prohibited_drivers (org_id, order_id, driver_id, reason)
SELECT @org_id, @order_id, w.driver_id, nullif(w.reason, '') FROM wanted w
ON CONFLICT (org_id, order_id, driver_id) DO UPDATE SET reason = excluded.reason;

-- name: SetDriverLock :exec
-- Locks an order to a driver; violations accepted with an earlier lock no longer are.
INSERT INTO order_driver_locks (org_id, order_id, driver_id) VALUES (@org_id, @order_id, @driver_id)
ON CONFLICT (org_id, order_id) DO UPDATE SET driver_id = excluded.driver_id, locked_at = excluded.locked_at,
    locked_by = excluded.locked_by, reason = excluded.reason, accepts_anyhow = excluded.accepts_anyhow,
    pickup_until = excluded.pickup_until, delivery_until = excluded.delivery_until;

-- name: DeleteDriverLock :exec
DELETE FROM order_driver_locks WHERE org_id = @org_id AND order_id = @order_id;

-- name: KnownDrivers :many
-- Which of these drivers exist, active or not.
SELECT id, is_active FROM drivers WHERE org_id = @org_id AND id = ANY (@ids::bigint[]);

-- name: AddDocumentation :one
INSERT INTO order_documentations (org_id, order_id, stop_id, type, comment)
VALUES (@org_id, @order_id, nullif(@stop_id::bigint, 0), @type, nullif(@comment::text, ''))
RETURNING id;

-- name: LockDriven :one
-- Locks an order and reads all its facts, and its earlier assignment.
SELECT coalesce(d.number, '')::text AS number, d.status_id::smallint AS status_id, d.driver_id::bigint AS driver_id,
    d.begun::boolean AS begun, d.given_to::bigint AS given_to, d.facts::jsonb AS facts
FROM lock_driven(@org_id::bigint, @order_id::bigint) d;

-- name: KeepMove :exec
-- Stores a fact from the office or a carrier; with a zero time it counts from now
-- on.
INSERT INTO order_moves (org_id, order_id, source, at, status_id, driver_id, stop, reason, corrects)
VALUES (@org_id, @order_id, @source, CASE WHEN @at::timestamptz > '1970-01-01' THEN @at::timestamptz ELSE clock_timestamp() END,
    @status_id, nullif(@driver_id::bigint, 0), nullif(@stop::text, ''), nullif(@reason::text, ''), @corrects);

-- name: LockAction :one
-- Finds the earlier answer to an action, and locks and reads the order of its
-- stop. Returns the names of the load carriers in the action that exist.
SELECT coalesce(a.answered_to, 0)::bigint AS answered_to, coalesce(a.outcome, '')::text AS outcome,
    coalesce(a.outcome_reason, '')::text AS outcome_reason, coalesce(a.skew_ms, 0)::bigint AS skew_ms,
    coalesce(a.order_id, 0)::bigint AS order_id, coalesce(a.kind, '')::text AS kind,
    coalesce(a.latitude, 'NaN')::float8 AS latitude, coalesce(a.longitude, 'NaN')::float8 AS longitude,
    coalesce(a.had, false)::boolean AS had, coalesce(a.number, '')::text AS number,
    coalesce(a.status_id, 0)::smallint AS status_id, coalesce(a.driver_id, 0)::bigint AS driver_id,
    coalesce(a.created_at, 'epoch')::timestamptz AS created_at, coalesce(a.begun, false)::boolean AS begun,
    coalesce(a.given_to, 0)::bigint AS given_to, coalesce(a.facts, '[]')::jsonb AS facts,
    coalesce((SELECT proof_asked(o.org_id, o.order_type_id) FROM orders o
        WHERE o.org_id = @org_id::bigint AND o.id = a.order_id), 'null')::jsonb AS asked,
    coalesce((SELECT jsonb_object_agg(c.id, c.name) FROM cargo_carriers c
        WHERE c.org_id = @org_id::bigint AND c.id = ANY (@carriers::bigint[])), '{}')::jsonb AS carrier_names,
    coalesce((SELECT jsonb_agg(jsonb_build_object('id', p.id, 'parent', coalesce(p.parent_id, 0), 'quantity', p.quantity)
            ORDER BY p.id) FROM order_products p
        WHERE p.org_id = @org_id::bigint AND p.order_id = a.order_id AND a.had AND @with_goods::boolean), '[]')::jsonb AS goods
FROM lock_action(@org_id::bigint, (@id::text)::uuid, @driver_id::bigint, @stop_id::bigint) a;

-- name: KeepAction :exec
-- Stores a driver's action permanently, with its answer. NaN means absent.
INSERT INTO driver_actions (org_id, id, driver_id, device_id, type, stop_id, order_id, occurred_at, device_at, sent_at,
    received_at, undoes, latitude, longitude, accuracy_meters, distance_meters, reason, comment, data, outcome,
    outcome_reason, nothing)
VALUES (@org_id, (@id::text)::uuid, @driver_id, nullif(@device_id::bigint, 0), @type, nullif(@stop_id::bigint, 0),
    nullif(@order_id::bigint, 0), @occurred_at, @device_at, @sent_at, @received_at, nullif(@undoes::text, '')::uuid,
    nullif(@latitude::float8, 'NaN'), nullif(@longitude::float8, 'NaN'), nullif(@accuracy::float8, 'NaN'),
    nullif(@distance::float8, 'NaN'), nullif(@reason::text, ''), nullif(@comment::text, ''),
    nullif(@data::text, '')::jsonb, @outcome, nullif(@outcome_reason::text, ''), @nothing);

-- name: MoveDriven :exec
-- Writes an order's status and driver; this does not count as an edit.
UPDATE orders SET status_id = @status_id::smallint, driver_id = nullif(@driver_id::bigint, 0), updated_at = now(),
    cancelled_at = CASE WHEN @status_id::smallint = 8 THEN coalesce(cancelled_at, now()) END
WHERE org_id = @org_id AND id = @order_id;

-- name: MarkDriven :exec
-- Follows an order that is cancelled after all, or was done before it was: its
-- stops and the numbers that counted in it go with it.
WITH stops AS (
    UPDATE order_stops s SET cancelled_at = CASE WHEN @cancelled::boolean THEN now() END
    WHERE s.org_id = @org_id AND s.order_id = @order_id::bigint
)
UPDATE order_numbers n SET cancelled_at = CASE WHEN @cancelled::boolean THEN now() END
WHERE n.org_id = @org_id AND n.order_id = @order_id::bigint AND CASE WHEN @cancelled::boolean THEN n.cancelled_at IS NULL
    ELSE n.cancelled_at >= (SELECT max(m.cancelled_at) FROM order_numbers m WHERE m.org_id = n.org_id AND m.order_id = n.order_id) END;

-- name: PutProgress :exec
-- Saves the progress of an order on the road; times of zero mean none.
INSERT INTO order_progress AS g (org_id, order_id, given_to, pickup_status, pickup_arrived_at, pickup_ended_at,
    delivery_status, delivery_arrived_at, delivery_ended_at, failure_reason)
VALUES (@org_id, @order_id, nullif(@given_to::bigint, 0), @pickup_status,
    nullif(@pickup_arrived_at::timestamptz, '0001-01-01 00:00:00+00'),
    nullif(@pickup_ended_at::timestamptz, '0001-01-01 00:00:00+00'), @delivery_status,
    nullif(@delivery_arrived_at::timestamptz, '0001-01-01 00:00:00+00'),
    nullif(@delivery_ended_at::timestamptz, '0001-01-01 00:00:00+00'), nullif(@failure_reason::text, ''))
ON CONFLICT (org_id, order_id) DO UPDATE SET pickup_status = excluded.pickup_status,
    pickup_arrived_at = excluded.pickup_arrived_at, pickup_ended_at = excluded.pickup_ended_at,
    delivery_status = excluded.delivery_status, delivery_arrived_at = excluded.delivery_arrived_at,
    delivery_ended_at = excluded.delivery_ended_at, failure_reason = excluded.failure_reason;

-- name: DropProgress :exec
DELETE FROM order_progress WHERE org_id = @org_id AND order_id = @order_id;

-- name: DropProductDeliveries :exec
DELETE FROM order_product_deliveries WHERE org_id = @org_id AND order_id = @order_id;

-- name: PutProductDeliveries :exec
-- Stores the delivered quantities of an order's products; products that it no
-- longer has are ignored.
INSERT INTO order_product_deliveries (org_id, order_product_id, order_id, delivered, refused, reason)
SELECT p.org_id, p.id, p.order_id, x.delivered, x.refused, nullif(x.reason, '')
FROM (SELECT unnest(@ids::bigint[]) AS id, unnest(@delivered::float8[]) AS delivered,
    unnest(@refused::float8[]) AS refused, unnest(@reasons::text[]) AS reason) x
JOIN order_products p ON p.org_id = @org_id AND p.id = x.id AND p.order_id = @order_id
ON CONFLICT (org_id, order_product_id) DO UPDATE SET delivered = excluded.delivered, refused = excluded.refused,
    reason = excluded.reason;

-- name: DropProductsMissing :exec
DELETE FROM order_products_missing WHERE org_id = @org_id AND order_id = @order_id;

-- name: PutProductsMissing :exec
-- Stores the missing products of an order; products that it no longer has are ignored.
INSERT INTO order_products_missing (org_id, order_product_id, order_id, missing, reason, driver_id, reported_at)
SELECT p.org_id, p.id, p.order_id, x.missing, nullif(x.reason, ''), nullif(x.driver_id, 0), x.reported_at
FROM (SELECT unnest(@ids::bigint[]) AS id, unnest(@missing::float8[]) AS missing, unnest(@reasons::text[]) AS reason,
    unnest(@drivers::bigint[]) AS driver_id, unnest(@times::timestamptz[]) AS reported_at) x
JOIN order_products p ON p.org_id = @org_id AND p.id = x.id AND p.order_id = @order_id
ON CONFLICT (org_id, order_product_id) DO UPDATE SET missing = excluded.missing, reason = excluded.reason,
    driver_id = excluded.driver_id, reported_at = excluded.reported_at;

-- name: OverrideActions :exec
-- Marks which actions of an order a later one makes ineffective, and which take
-- effect again.
UPDATE driver_actions SET overridden_by = CASE WHEN id = ANY ((@lost::text[])::uuid[]) THEN (@by::text)::uuid END
WHERE org_id = @org_id AND order_id = @order_id::bigint AND id = ANY ((@lost::text[] || @restored::text[])::uuid[]);

-- name: DocumentAction :exec
-- Adds a driver's action at a stop to the documentations of its order. A note at a delivery is found by the location later.
INSERT INTO order_documentations (org_id, order_id, stop_id, type, comment, driver_id, action_id, occurred_at, note_location_id)
VALUES (@org_id, @order_id, @stop_id, @type, nullif(@comment::text, ''), @driver_id, (@action_id::text)::uuid, @occurred_at,
    CASE WHEN @type::text = 'note' THEN (SELECT s.location_id FROM order_stops s
        WHERE s.org_id = @org_id AND s.id = @stop_id AND s.kind = 'delivery') END);

-- name: AddProof :exec
-- Keeps how a delivery was proved, with pictures that are named by their hashes.
WITH kept AS (
    INSERT INTO completion_proofs (org_id, order_id, type, signature_sha256, signee, comment, action_id, counts, occurred_at,
        latitude, longitude, accuracy_meters, distance_meters, scans)
    VALUES (@org_id, @order_id, @type, CASE WHEN length(@signature::bytea) > 0 THEN @signature::bytea END,
        nullif(@signee::text, ''), nullif(@comment::text, ''), nullif(@action_id::text, '')::uuid, false, @occurred_at,
        nullif(@latitude::float8, 'NaN'), nullif(@longitude::float8, 'NaN'), nullif(@accuracy::float8, 'NaN'),
        nullif(@distance::float8, 'NaN'), nullif(@scans::text, '')::jsonb)
    RETURNING id
)
INSERT INTO completion_proof_images (org_id, proof_id, seq, sha256)
SELECT @org_id, kept.id, x.ordinality, x.sha256 FROM kept, unnest(@pictures::bytea[]) WITH ORDINALITY AS x (sha256);

-- name: CountProofs :exec
-- Puts the proofs of the effective delivery into effect; those without an
-- action are in effect if no driver delivered.
UPDATE completion_proofs SET counts = (coalesce(action_id::text, '') = @delivered::text)
WHERE org_id = @org_id AND order_id = @order_id;

-- name: LogDriven :exec
-- Appends a change of an order on the road. Its products change with its
-- status, except refused ones, which have failed. In sequence, the change
-- follows everything else known about the order.
WITH refused AS (SELECT unnest(@refused::bigint[]) AS id)
INSERT INTO events (org_id, kind, subject_type, subject_id, order_id, external_id, order_status_id, driver_id, stop,
    occurred_at, product_ids, product_status_id, data)
SELECT @org_id::bigint, x.kind, 'order', @order_id::bigint, @order_id::bigint, @number::text, nullif(x.status_id, 0), nullif(@driver_id::bigint, 0),
    nullif(@stop::text, ''), CASE WHEN @in_order::boolean THEN greatest(@occurred_at::timestamptz, (
        SELECT max(e.occurred_at) FROM events e
        WHERE e.org_id = @org_id::bigint AND e.subject_type = 'order' AND e.subject_id = @order_id::bigint AND e.position IS NOT NULL
    ), (
        SELECT max(e.occurred_at) FROM events e
        WHERE e.org_id = @org_id::bigint AND e.order_id = @order_id::bigint AND e.position IS NULL
    )) ELSE @occurred_at::timestamptz END, x.product_ids, nullif(x.product_status_id, 0), nullif(@data::text, '')::jsonb
FROM (
    SELECT 1 AS seq, @kind::text AS kind, @status_id::smallint AS status_id,
        CASE WHEN @status_id::smallint = 0 THEN '{}'
            WHEN EXISTS (SELECT FROM refused) THEN ARRAY(SELECT p.id FROM order_products p
                WHERE p.org_id = @org_id::bigint AND p.order_id = @order_id::bigint AND p.id NOT IN (SELECT id FROM refused)
                ORDER BY p.number, p.seq, p.id) END AS product_ids,
        CASE WHEN EXISTS (SELECT FROM refused) THEN @status_id::smallint ELSE 0::smallint END AS product_status_id
    UNION ALL
    SELECT 2, 'order.products_refused', 0::smallint, @refused::bigint[], 7::smallint WHERE EXISTS (SELECT FROM refused)
) x
ORDER BY x.seq;

-- name: LogRoute :exec
-- Appends the event of a driver who began or ended a route.
INSERT INTO events (org_id, kind, subject_type, subject_id, driver_id, occurred_at, data)
VALUES (@org_id, @kind, 'driver', @driver_id::bigint, @driver_id::bigint, @occurred_at::timestamptz, (@data::text)::jsonb);

-- name: StartDriverDay :exec
-- Records when a driver began the current day, the earliest time reported.
INSERT INTO driver_days AS d (org_id, driver_id, day, started_at)
SELECT o.id, @driver_id::bigint, day_under_way(o.id, @driver_id::bigint, x.at), x.at
FROM organizations o CROSS JOIN (SELECT @at::timestamptz AS at) x WHERE o.id = @org_id
ON CONFLICT (org_id, driver_id, day) DO UPDATE SET started_at = least(d.started_at, excluded.started_at);

-- name: EndDriverDay :exec
-- Records when a driver ended a day, the latest time reported. After midnight, that is
-- the day before while its route continues, even if the driver has ended it already.
INSERT INTO driver_days AS d (org_id, driver_id, day, ended_at)
SELECT o.id, @driver_id::bigint, coalesce(simulated_day(o.id, x.at), night_under_way(o.id, @driver_id::bigint, x.at, true),
    (x.at AT TIME ZONE o.timezone)::date), x.at
FROM organizations o CROSS JOIN (SELECT @at::timestamptz AS at) x WHERE o.id = @org_id
ON CONFLICT (org_id, driver_id, day) DO UPDATE SET ended_at = greatest(d.ended_at, excluded.ended_at);

-- name: SetDuty :one
-- Sets whether a driver is on duty; idempotent.
INSERT INTO driver_whereabouts AS w (org_id, driver_id, on_duty, duty_since)
VALUES (@org_id, @driver_id, @on_duty, @at)
ON CONFLICT (org_id, driver_id) DO UPDATE SET on_duty = excluded.on_duty,
    duty_since = CASE WHEN w.on_duty = excluded.on_duty THEN w.duty_since ELSE excluded.duty_since END
RETURNING on_duty, duty_since;

-- name: DutyFromRoute :exec
-- A driver who begins a route is on duty, and one who ends it is not, unless
-- they set their duty later.
INSERT INTO driver_whereabouts AS w (org_id, driver_id, on_duty, duty_since)
VALUES (@org_id, @driver_id, @on_duty, @at)
ON CONFLICT (org_id, driver_id) DO UPDATE SET on_duty = excluded.on_duty, duty_since = excluded.duty_since
WHERE w.duty_since <= excluded.duty_since AND w.on_duty <> excluded.on_duty;

-- name: NoteWhereabouts :exec
-- Records a driver's position, if it is newer, and the skew of the clock.
INSERT INTO driver_whereabouts AS w (org_id, driver_id, latitude, longitude, accuracy_meters, at, clock_skew_ms)
VALUES (@org_id, @driver_id, nullif(@latitude::float8, 'NaN'), nullif(@longitude::float8, 'NaN'),
    nullif(@accuracy::float8, 'NaN'), CASE WHEN @latitude::float8 <> 'NaN' THEN @at::timestamptz END, @skew_ms)
ON CONFLICT (org_id, driver_id) DO UPDATE SET
    latitude = CASE WHEN excluded.at > coalesce(w.at, '-infinity') THEN excluded.latitude ELSE w.latitude END,
    longitude = CASE WHEN excluded.at > coalesce(w.at, '-infinity') THEN excluded.longitude ELSE w.longitude END,
    accuracy_meters = CASE WHEN excluded.at > coalesce(w.at, '-infinity') THEN excluded.accuracy_meters ELSE w.accuracy_meters END,
    at = greatest(w.at, excluded.at), clock_skew_ms = excluded.clock_skew_ms;

-- name: MoveWhereabouts :exec
-- Notes where a driver was, when that is news.
UPDATE driver_whereabouts SET latitude = @latitude::float8, longitude = @longitude::float8,
    accuracy_meters = nullif(@accuracy::float8, 'NaN'), at = @at::timestamptz
WHERE org_id = @org_id AND driver_id = @driver_id AND coalesce(at, '-infinity') < @at::timestamptz;

-- name: ReadWhereabouts :one
SELECT on_duty, duty_since, clock_skew_ms FROM driver_whereabouts WHERE org_id = @org_id AND driver_id = @driver_id;

-- name: AddPositions :execrows
-- Keeps positions of a driver, each moment once. Those of a driver who is off duty are kept only
-- if they are of a route that was driven, and come late.
INSERT INTO driver_positions (org_id, driver_id, at, latitude, longitude, accuracy_meters)
SELECT @org_id, @driver_id, x.at, x.latitude, x.longitude, nullif(x.accuracy, 'NaN')
FROM (SELECT unnest(@ats::timestamptz[]) AS at, unnest(@latitudes::float8[]) AS latitude,
    unnest(@longitudes::float8[]) AS longitude, unnest(@accuracies::float8[]) AS accuracy) x
WHERE @on_duty::boolean OR EXISTS (SELECT FROM driver_days y
    WHERE y.org_id = @org_id AND y.driver_id = @driver_id AND x.at BETWEEN y.started_at AND y.ended_at)
ON CONFLICT DO NOTHING;

-- name: DayUnderWay :one
-- The day whose route a driver drives at a moment, by the organization's calendar.
SELECT day_under_way(@org_id::bigint, @driver_id::bigint, @at::timestamptz)::date AS day;

-- name: DriverRoute :one
-- A driver's work on a day, as a document for the driver: their own stops,
-- access, contacts where they are requested, and goods; no prices.
SELECT jsonb_build_object('date', @day::date, 'driverId', d.id, 'name', d.name,
    'onDuty', coalesce(w.on_duty, false), 'startedAt', iso_utc(y.started_at), 'endedAt', iso_utc(y.ended_at),
    'version', coalesce(r.version, 0), 'startsAt', iso_utc(r.starts_at), 'endsAt', iso_utc(r.ends_at),
    'breaks', breaks_document(d.org_id, coalesce(r.breaks, '[]')), 'drivingLeftSeconds', r.driving_left_seconds,
    'vehicle', (SELECT jsonb_build_object('id', v.id, 'registration', v.registration)
        FROM vehicles v WHERE v.org_id = d.org_id AND v.id = r.vehicle_id),
    'coDriver', (SELECT jsonb_build_object('id', c.id, 'name', c.name) FROM driver_workdays x
        JOIN drivers c ON c.org_id = x.org_id AND c.id = x.co_driver_id AND c.is_active
        WHERE x.org_id = d.org_id AND x.driver_id = d.id AND x.date = @day::date AND x.works),
    'ridesWith', (SELECT jsonb_build_object('id', c.id, 'name', c.name) FROM driver_workdays x
        JOIN drivers c ON c.org_id = x.org_id AND c.id = x.driver_id AND c.is_active
        WHERE x.org_id = d.org_id AND x.co_driver_id = d.id AND x.date = @day::date AND x.works ORDER BY c.id LIMIT 1),
    'officePhone', (SELECT g.office_phone FROM organizations g WHERE g.id = d.org_id),
    'cargoCarriers', coalesce((SELECT jsonb_agg(jsonb_build_object('id', c.id, 'code', c.code, 'name', c.name) ORDER BY c.code)
        FROM cargo_carriers c WHERE c.org_id = d.org_id AND c.is_active), '[]'),
    'stops', coalesce((SELECT jsonb_agg(jsonb_build_object(
            'sequence', p.seq, 'stopId', s.id, 'orderId', p.order_id, 'externalId', o.number, 'stop', upper(p.kind),
            'orderStatusId', o.status_id, 'status', b.base -> 'status', 'name', s.name, 'address', b.address,
            'latitude', p.latitude, 'longitude', p.longitude, 'positionGuessed', p.guessed,
            'earliest', iso_utc(s.earliest), 'latest', iso_utc(s.latest), 'eta', b.base -> 'eta',
            'drivingSeconds', p.driving_seconds, 'setupSeconds', p.setup_seconds, 'sameVisit', p.joined, 'curbside', p.curbside, 'meters', p.meters, 'polyline', k.polyline, 'instructions', s.instructions,
            'customerInstructions', s.customer_instructions, 'parkingInstructions', s.parking_instructions,
            'recipient', (SELECT jsonb_build_object('instructions', q.instructions, 'safePlace', q.safe_place,
                    'safePlaceNote', q.safe_place_note, 'absent', q.absent, 'doorCode', CASE WHEN @with_contacts::boolean AND o.status_id < 6 THEN q.door_code ELSE '' END)
                FROM recipient_instructions q WHERE q.org_id = o.org_id AND q.order_id = o.id AND p.kind = 'delivery'),
            'earlierNotes', CASE WHEN @with_contacts::boolean AND p.kind = 'delivery' THEN coalesce((
                SELECT jsonb_agg(jsonb_build_object('text', n.comment, 'at', iso_utc(n.occurred_at)) ORDER BY n.id DESC) FROM (
                    SELECT n.id, n.comment, n.occurred_at FROM order_documentations n
                    JOIN order_stops e ON e.org_id = n.org_id AND e.id = n.stop_id AND e.name = s.name
                    JOIN driver_actions a ON a.org_id = n.org_id AND a.id = n.action_id AND a.overridden_by IS NULL
                    WHERE n.org_id = s.org_id AND n.note_location_id = s.location_id AND n.order_id <> s.order_id
                        AND n.occurred_at > now() - interval '180 days' AND n.comment NOT LIKE '%[erased]%'
                    ORDER BY n.id DESC LIMIT 3) n), '[]') ELSE '[]' END,
            'contacts', CASE WHEN @with_contacts::boolean THEN coalesce((
                SELECT jsonb_agg(jsonb_build_object('firstName', c.first_name, 'lastName', c.last_name,
                    'phoneNumber', c.phone_number) ORDER BY c.seq)
                FROM stop_contacts c WHERE c.org_id = s.org_id AND c.stop_id = s.id), '[]') ELSE '[]' END,
            'products', coalesce((
                SELECT jsonb_agg(jsonb_build_object('id', i.id, 'parentId', i.parent_id, 'name', i.name,
                    'quantity', i.quantity, 'weight', i.weight, 'barcode', i.barcode_id, 'externalId', i.external_id,
                    'atomType', i.atom_type, 'missing', coalesce(m.missing, 0)) ORDER BY i.number, i.seq, i.id)
                FROM order_products i
                LEFT JOIN order_products_missing m ON m.org_id = i.org_id AND m.order_product_id = i.id
                WHERE i.org_id = o.org_id AND i.order_id = o.id), '[]'),
            'overridden', coalesce((
                SELECT jsonb_agg(jsonb_build_object('id', a.id, 'type', a.type, 'occurredAt', iso_utc(a.occurred_at),
                    'by', c.type) ORDER BY a.occurred_at, a.id)
                FROM driver_actions a JOIN driver_actions c ON c.org_id = a.org_id AND c.id = a.overridden_by
                WHERE a.org_id = o.org_id AND a.order_id = o.id AND a.stop_id = s.id AND a.driver_id = d.id), '[]'),
            'customFields', coalesce((
                SELECT jsonb_agg(jsonb_build_object('externalId', f.external_id, 'label', f.label, 'title', f.title,
                    'description', f.description, 'icon', f.icon, 'background', f.color_background,
                    'foreground', f.color_text, 'displayStyle', f.display_style, 'value', v.value) ORDER BY f.external_id)
                FROM custom_field_values v
                JOIN custom_field_definitions f ON f.org_id = v.org_id AND f.id = v.definition_id
                WHERE v.org_id = o.org_id AND v.order_id = o.id AND f.is_active
                    AND p.kind = ANY (shown_on(f.display_on, v.stop))), '[]'),
            'proof', (SELECT x.asked - 'since' FROM (SELECT proof_asked(o.org_id, o.order_type_id) AS asked) x)
            ) ORDER BY p.seq)
        FROM plan_stops p
        JOIN orders o ON o.org_id = p.org_id AND o.id = p.order_id
        JOIN order_stops s ON s.org_id = p.org_id AND s.order_id = p.order_id AND s.kind = p.kind
        JOIN order_stop_documents b ON b.org_id = p.org_id AND b.order_id = p.order_id AND b.kind = p.kind
        LEFT JOIN ways_of_plan(d.org_id, r.plan_id, ARRAY[d.id]) k ON k.seq = p.seq
        WHERE p.org_id = d.org_id AND p.plan_id = r.plan_id AND p.driver_id = d.id), '[]'))::jsonb AS document
FROM drivers d
LEFT JOIN driver_whereabouts w ON w.org_id = d.org_id AND w.driver_id = d.id
LEFT JOIN driver_days y ON y.org_id = d.org_id AND y.driver_id = d.id AND y.day = @day::date
LEFT JOIN LATERAL (
    SELECT r.plan_id, r.vehicle_id, r.starts_at, r.ends_at, r.breaks, r.driving_left_seconds, p.version
    FROM plan_routes r JOIN plans p ON p.org_id = r.org_id AND p.id = r.plan_id
    WHERE r.org_id = d.org_id AND r.driver_id = d.id AND r.plan_id = route_of_day(d.org_id, d.id, @day::date)
) r ON true
WHERE d.org_id = @org_id AND d.id = @driver_id;

-- name: FindPicture :one
-- Whether a picture is uploaded.
SELECT EXISTS (SELECT FROM proof_pictures WHERE org_id = @org_id AND sha256 = @sha256::bytea) AS found;

-- name: PicturesSince :one
-- The number and size of a driver's pictures since a moment.
SELECT count(*)::bigint AS pictures, coalesce(sum(size), 0)::bigint AS bytes
FROM proof_pictures WHERE org_id = @org_id AND driver_id = @driver_id AND arrived_at >= @since;

-- name: KeepPicture :execrows
-- Records that a picture is uploaded, once.
INSERT INTO proof_pictures (org_id, sha256, content_type, size, storage_key, driver_id)
VALUES (@org_id, @sha256, @content_type, @size, @storage_key, @driver_id) ON CONFLICT DO NOTHING;

-- name: DrawSerial :one
-- The next serial of an organization's orders.
SELECT nextval(('order_serial_' || @org_id::bigint)::regclass)::bigint AS serial;

-- name: RouteAhead :many
-- The driver's current route: yesterday's while it continues after midnight,
-- else today's by the organization's calendar, or yesterday's while today has
-- none, with the progress of its stops and their announced ETAs. Each stop has
-- the driver's last position, if it is recent. A simulated day takes
-- precedence, and has its own clock.
SELECT p.order_id, p.kind, p.latitude, p.longitude, p.arrives_at, p.starts_at, p.leaves_at, p.driving_seconds, p.setup_seconds, p.meters,
    s.earliest, s.country, s.postal_code,
    coalesce(CASE WHEN lag(p.seq) OVER (ORDER BY p.seq) IS NULL THEN t.rush_hours END, 'null')::jsonb AS rush_hours, t.timezone,
    CASE WHEN s.cancelled_at IS NOT NULL THEN 'failed' WHEN p.kind = 'pickup' THEN coalesce(g.pickup_status, 'pending')
        ELSE coalesce(g.delivery_status, 'pending') END::text AS status,
    g.pickup_arrived_at, g.pickup_ended_at, g.delivery_arrived_at, g.delivery_ended_at,
    o.number, coalesce(e.eta, '0001-01-01 00:00:00+00')::timestamptz AS eta,
    coalesce(e.told, p.eta)::timestamptz AS told, coalesce(e.ahead, -1)::int AS ahead,
    coalesce(q.told_from, '0001-01-01 00:00:00+00')::timestamptz AS told_from,
    coalesce(q.told_to, '0001-01-01 00:00:00+00')::timestamptz AS told_to, coalesce(q.moves, 0)::int AS moves, t.recipient_page,
    w.latitude AS was_latitude, w.longitude AS was_longitude, w.at AS was_at, t.pace::int AS pace,
    t.clock_from, t.clock_since, r.break_starts_at, r.break_ends_at, coalesce(r.breaks, '[]')::jsonb AS breaks, coalesce(k.polyline, '')::text AS polyline
FROM (
    SELECT route_of_day(@org_id::bigint, @driver_id::bigint,
            coalesce(v.day, (SELECT driving_day(@org_id::bigint, @driver_id::bigint, @now::timestamptz)))) AS plan_id,
        coalesce(v.pace, 0) AS pace, v.clock_from, v.clock_since, z.rush_hours, z.timezone, coalesce(z.recipient_page, '{}')::jsonb AS recipient_page
    FROM organizations z LEFT JOIN sandbox_runs v ON v.org_id = z.id AND v.state = 'RUNNING'
    WHERE z.id = @org_id
    LIMIT 1
) t
JOIN plan_stops p ON p.org_id = @org_id AND p.plan_id = t.plan_id AND p.driver_id = @driver_id
CROSS JOIN LATERAL (SELECT o.number FROM orders o WHERE o.org_id = p.org_id AND o.id = p.order_id OFFSET 0) o
CROSS JOIN LATERAL (
    SELECT s.earliest, s.cancelled_at, coalesce(s.country, '') AS country, coalesce(s.postal_code, '') AS postal_code
    FROM order_stops s
    WHERE s.org_id = p.org_id AND s.order_id = p.order_id AND s.kind = p.kind OFFSET 0
) s
LEFT JOIN LATERAL (
    SELECT g.pickup_status, g.delivery_status, g.pickup_arrived_at, g.pickup_ended_at, g.delivery_arrived_at,
        g.delivery_ended_at
    FROM order_progress g WHERE g.org_id = p.org_id AND g.order_id = p.order_id OFFSET 0
) g ON true
LEFT JOIN LATERAL (
    SELECT e.eta, e.told, e.ahead FROM live_etas e
    WHERE e.org_id = p.org_id AND e.order_id = p.order_id AND e.kind = p.kind AND e.driver_id = p.driver_id OFFSET 0
) e ON true
LEFT JOIN LATERAL (
    SELECT q.told_from, q.told_to, q.moves FROM delivery_promises q
    WHERE q.org_id = p.org_id AND q.order_id = p.order_id AND q.kind = p.kind OFFSET 0
) q ON true
LEFT JOIN driver_whereabouts w ON w.org_id = p.org_id AND w.driver_id = p.driver_id AND w.latitude IS NOT NULL
    AND w.at > @since::timestamptz
LEFT JOIN LATERAL (
    SELECT r.break_starts_at, r.break_ends_at, r.breaks FROM plan_routes r
    WHERE r.org_id = p.org_id AND r.plan_id = p.plan_id AND r.driver_id = p.driver_id OFFSET 0
) r ON true
LEFT JOIN ways_of_plan(@org_id::bigint, t.plan_id, ARRAY[@driver_id::bigint]) k ON k.seq = p.seq
ORDER BY p.seq;

-- name: LockETAs :exec
-- Lets one change of drivers' ETAs follow the other, in the order of the drivers. Their ids
-- count within their organization; 64 bits of both are not shared with another driver.
SELECT pg_advisory_xact_lock(hashtextextended(concat_ws('/', 'waybill.etas', @org_id::bigint, d.id), 0))
FROM (SELECT DISTINCT unnest(@driver_ids::bigint[]) AS id ORDER BY 1) d;

-- name: PutLiveETAs :exec
-- Writes when a driver gets to stops.
INSERT INTO live_etas AS e (org_id, order_id, kind, driver_id, eta, told, ahead)
SELECT @org_id, x.order_id, x.kind, @driver_id, x.eta, x.told, x.ahead
FROM (SELECT unnest(@order_ids::bigint[]) AS order_id, unnest(@kinds::text[]) AS kind, unnest(@etas::timestamptz[]) AS eta,
    unnest(@tolds::timestamptz[]) AS told, unnest(@aheads::int[]) AS ahead) x
ORDER BY x.order_id, x.kind
ON CONFLICT (org_id, order_id, kind) DO UPDATE SET driver_id = excluded.driver_id, eta = excluded.eta,
    told = excluded.told, ahead = excluded.ahead, updated_at = now();

-- name: LogETAs :exec
-- Appends events for changed ETAs. Locks the orders, so that none is announced
-- with an outdated status; finished stops have no ETA.
WITH held AS MATERIALIZED (
    SELECT o.id, o.status_id FROM orders o
    WHERE o.org_id = @org_id AND o.id = ANY (@order_ids::bigint[]) AND o.status_id <= 5
    ORDER BY o.id FOR SHARE
)
INSERT INTO events (org_id, kind, subject_type, subject_id, order_id, external_id, order_status_id, driver_id, product_ids,
    data, occurred_at)
SELECT @org_id, 'order.eta_changed', 'order', x.order_id, x.order_id, x.number, h.status_id, @driver_id::bigint,
    '{}'::bigint[], x.data::jsonb, clock_timestamp()
FROM (SELECT unnest(@order_ids::bigint[]) AS order_id, unnest(@numbers::text[]) AS number,
    unnest(@datas::text[]) AS data) x
JOIN held h ON h.id = x.order_id
ORDER BY x.order_id;

-- name: ChainProof :exec
-- Appends the newest proof of an order, which is locked, to the organization's
-- chain.
SELECT chain_proof(@org_id::bigint, (SELECT max(p.id) FROM completion_proofs p
    WHERE p.org_id = @org_id::bigint AND p.order_id = @order_id::bigint), @open::text, @at::int);

-- name: ChainedProofs :many
-- Proofs after one of the chain, with the content of their rows.
SELECT p.seq::bigint AS seq, p.manifest::text AS manifest, p.hash::bytea AS hash, p.order_id,
    (p.erased_at IS NOT NULL)::boolean AS erased,
    coalesce(p.action_id::text, '')::text AS action, p.type,
    coalesce(encode(p.signature_sha256, 'hex'), '')::text AS signature, coalesce(p.signee, '')::text AS signee,
    coalesce(p.comment, '')::text AS comment, coalesce(p.occurred_at, p.created_at)::timestamptz AS occurred_at, p.latitude,
    p.longitude, p.accuracy_meters, p.distance_meters, coalesce(p.scans, '[]')::jsonb AS scans,
    coalesce(a.driver_id, 0)::bigint AS driver_id,
    coalesce(a.device_id, 0)::bigint AS device_id, coalesce(a.stop_id, 0)::bigint AS stop_id, a.received_at,
    ARRAY(SELECT encode(i.sha256, 'hex') FROM completion_proof_images i
        WHERE i.org_id = p.org_id AND i.proof_id = p.id ORDER BY i.seq)::text[] AS pictures
FROM completion_proofs p LEFT JOIN driver_actions a ON a.org_id = p.org_id AND a.id = p.action_id
WHERE p.org_id = @org_id AND p.seq > @after::bigint
ORDER BY p.seq LIMIT @page_size::int;

-- name: LastProof :one
-- The recorded last proof of an organization, and the last one in the log.
SELECT coalesce(c.seq, 0)::bigint AS seq, c.hash, coalesce((e.data ->> 'seq')::bigint, 0)::bigint AS told_seq,
    decode(e.data ->> 'sha256', 'hex')::bytea AS told_hash
FROM (SELECT @org_id::bigint AS org_id) o
LEFT JOIN proof_chains c ON c.org_id = o.org_id
LEFT JOIN LATERAL (
    SELECT e.data FROM events e WHERE e.org_id = o.org_id AND e.kind = 'order.proved' ORDER BY e.id DESC LIMIT 1
) e ON true;

-- name: NamedPictures :many
-- The pictures and signatures that a number of proofs of the chain name, with
-- where their bytes are, if they are anywhere.
SELECT p.seq::bigint AS seq, encode(x.sha256, 'hex') AS sha256, coalesce(k.storage_key, '')::text AS storage_key
FROM completion_proofs p
CROSS JOIN LATERAL unnest(array_append(ARRAY(
    SELECT i.sha256 FROM completion_proof_images i WHERE i.org_id = p.org_id AND i.proof_id = p.id
), p.signature_sha256)) AS x (sha256)
LEFT JOIN proof_pictures k ON k.org_id = p.org_id AND k.sha256 = x.sha256
WHERE p.org_id = @org_id AND p.seq > @after::bigint AND p.seq <= @upto::bigint AND x.sha256 IS NOT NULL
ORDER BY p.seq, x.sha256;
