-- A planner without statistics of an organization assumes that it has one row in
-- each table, and would scan all its rows, for each key or once for all. LATERAL
-- with OFFSET 0, or with FOR UPDATE, forces an index look-up for each key.

-- name: MasterData :one
-- All records that an organization sets up and an import may refer to by name,
-- as one document: these tables are small, so one round trip is cheapest.
SELECT o.timezone, o.allow_merge, o.rules_version,
    y.has_register::bool AS has_register, y.has_pins::bool AS has_pins, y.has_answers::bool AS has_answers, jsonb_build_object(
    'vehicleTypes', (SELECT coalesce(jsonb_agg(jsonb_build_object('id', v.id, 'name', v.name,
        'maxWeightKg', v.max_weight_kg, 'maxVolumeM3', v.max_volume_m3, 'maxLoads', v.max_loads) ORDER BY v.id), '[]')
        FROM vehicle_types v WHERE v.org_id = o.id AND v.is_active),
    'orderTypes', (SELECT coalesce(jsonb_agg(jsonb_build_object('id', t.id, 'name', t.name, 'readyFrom', t.ready_from,
        'pickUpBefore', t.pick_up_before, 'deliverBefore', t.deliver_before) ORDER BY t.id), '[]')
        FROM order_types t WHERE t.org_id = o.id AND t.is_active),
    'skills', (SELECT coalesce(jsonb_agg(jsonb_build_object('id', k.id, 'name', k.name) ORDER BY k.id), '[]')
        FROM skills k WHERE k.org_id = o.id AND k.is_active),
    'groups', (SELECT coalesce(jsonb_agg(jsonb_build_object('id', g.id, 'name', g.name) ORDER BY g.id), '[]')
        FROM order_groups g WHERE g.org_id = o.id AND g.is_active),
    'customFields', (SELECT coalesce(jsonb_agg(jsonb_build_object('id', f.id, 'externalId', f.external_id)
        ORDER BY f.id), '[]')
        FROM custom_field_definitions f WHERE f.org_id = o.id AND f.is_active),
    'loadDimensions', o.load_dimensions, 'calendars', calendars_of(o.id),
    'departmentCalendars', (SELECT jsonb_object_agg(y.id, y.calendar_id) FROM departments y
        WHERE y.org_id = o.id AND y.calendar_id IS NOT NULL)
)::jsonb AS document
FROM organizations o CROSS JOIN places_known(o.id) y WHERE o.id = @org_id;

-- name: FindCustomers :many
-- The customers that any of the identifiers name; names are lower-case.
SELECT id, coalesce(external_id, '')::text AS external_id, business_name,
    coalesce(department_id, 0)::bigint AS department_id, coalesce(calendar_id, 0)::bigint AS calendar_id
FROM customers
WHERE org_id = @org_id AND is_active
  AND (id = ANY (@ids::bigint[]) OR external_id = ANY (@external_ids::text[])
      OR lower(business_name) = ANY (@names::text[]))
ORDER BY id;

-- name: FindLocations :many
-- The locations with these ids, external ids or keys, with their recurring
-- windows; deleted ones are not found. Each look-up has exactly the
-- conditions of its index; otherwise another index of the organization would
-- seem as good.
SELECT l.id, coalesce(l.external_id, '')::text AS external_id, l.name, l.match_key,
    coalesce(l.address1, '')::text AS address1, coalesce(l.address2, '')::text AS address2,
    coalesce(l.postal_code, '')::text AS postal_code, coalesce(l.city, '')::text AS city,
    coalesce(l.state, '')::text AS state, coalesce(l.country, '')::text AS country,
    l.latitude, l.longitude, l.opens, l.closes, l.use_opening_hours_as_default, l.estimated_time_on_location,
    coalesce(l.pauses, 'null')::jsonb AS pauses, coalesce(l.calendar_id, 0)::bigint AS calendar_id,
    (SELECT jsonb_agg(jsonb_build_object('rrule', w.rrule, 'opens', w.opens, 'closes', w.closes) ORDER BY w.seq)
     FROM location_time_windows w WHERE w.org_id = l.org_id AND w.location_id = l.id)::jsonb AS windows
FROM (
    SELECT x.id FROM unnest(@external_ids::text[]) AS k (external_id)
    CROSS JOIN LATERAL (SELECT l.id FROM locations l WHERE l.org_id = @org_id AND l.external_id = k.external_id
        AND l.deleted_at IS NULL OFFSET 0) x
    UNION
    SELECT x.id FROM unnest(@match_keys::bytea[]) AS k (match_key)
    CROSS JOIN LATERAL (SELECT l.id FROM locations l WHERE l.org_id = @org_id AND l.match_key = k.match_key OFFSET 0) x
    UNION
    SELECT k.id FROM unnest(@ids::bigint[]) AS k (id)
) wanted
CROSS JOIN LATERAL (SELECT * FROM locations o WHERE o.org_id = @org_id AND o.id = wanted.id OFFSET 0) l
WHERE l.deleted_at IS NULL
ORDER BY l.id;

-- name: CreateLocations :exec
-- Creates locations, except those that another import created concurrently.
-- Opening hours below zero mean none.
INSERT INTO locations (org_id, external_id, match_key, name, address1, address2, postal_code, city, state, country,
    latitude, longitude, opens, closes, use_opening_hours_as_default, position)
SELECT @org_id, nullif(x.external_id, ''), x.match_key, x.name, nullif(x.address1, ''), nullif(x.address2, ''),
    nullif(x.postal_code, ''), nullif(x.city, ''), nullif(x.state, ''), nullif(x.country, ''),
    nullif(x.latitude, 'NaN'), nullif(x.longitude, 'NaN'),
    CASE WHEN x.opens >= 0 THEN x.opens END, CASE WHEN x.closes >= 0 THEN x.closes END, x.as_default,
    nullif(x.position, '')::jsonb
FROM (
    SELECT unnest(@external_ids::text[]) AS external_id, unnest(@match_keys::bytea[]) AS match_key,
        unnest(@names::text[]) AS name, unnest(@address1s::text[]) AS address1, unnest(@address2s::text[]) AS address2,
        unnest(@postal_codes::text[]) AS postal_code, unnest(@cities::text[]) AS city, unnest(@states::text[]) AS state,
        unnest(@countries::text[]) AS country, unnest(@latitudes::float8[]) AS latitude,
        unnest(@longitudes::float8[]) AS longitude, unnest(@opens::smallint[]) AS opens,
        unnest(@closes::smallint[]) AS closes, unnest(@as_defaults::boolean[]) AS as_default,
        unnest(@positions::text[]) AS position
) x
ORDER BY x.external_id, x.match_key
ON CONFLICT DO NOTHING;

-- name: ClaimNumbers :exec
-- Creates missing numbers, so that all can be locked. Sorted, as in all
-- statements that lock several numbers, to avoid deadlocks.
INSERT INTO order_numbers (org_id, number)
SELECT @org_id, x.number FROM (SELECT DISTINCT unnest(@numbers::text[]) AS number) x
ORDER BY x.number
ON CONFLICT DO NOTHING;

-- name: LockNumbers :many
-- Locks numbers until the end of the transaction and returns their orders.
SELECT n.number, coalesce(n.order_id, 0)::bigint AS order_id, (n.cancelled_at IS NOT NULL)::boolean AS cancelled,
    coalesce(n.receipt, 0)::bigint AS receipt
FROM (SELECT DISTINCT unnest(@numbers::text[]) AS number ORDER BY 1) k
CROSS JOIN LATERAL (SELECT * FROM order_numbers x WHERE x.org_id = @org_id AND x.number = k.number FOR UPDATE) n;

-- name: ClaimAwaitedNumbers :many
-- Those of these numbers that running imports have not processed yet. They are
-- created, so that they can be locked.
WITH awaited AS MATERIALIZED (
    SELECT DISTINCT x.number
    FROM imports i
    CROSS JOIN LATERAL (SELECT c.numbers FROM import_chunks c
        WHERE c.org_id = i.org_id AND c.import_id = i.id AND c.done_at IS NULL OFFSET 0) c
    CROSS JOIN LATERAL unnest(c.numbers) AS x (number)
    JOIN (SELECT DISTINCT unnest(@numbers::text[]) AS number) k ON k.number = x.number
    WHERE i.org_id = @org_id AND i.completed_at IS NULL AND i.ended_at IS NULL
), claimed AS (
    INSERT INTO order_numbers (org_id, number) SELECT @org_id, a.number FROM awaited a ORDER BY a.number
    ON CONFLICT DO NOTHING
)
SELECT a.number::text AS number FROM awaited a;

-- name: FindNumbers :many
-- The targets of numbers, without locking them.
SELECT n.number, coalesce(n.order_id, 0)::bigint AS order_id, (n.cancelled_at IS NOT NULL)::boolean AS cancelled
FROM (SELECT DISTINCT unnest(@numbers::text[]) AS number) k
CROSS JOIN LATERAL (SELECT * FROM order_numbers x WHERE x.org_id = @org_id AND x.number = k.number OFFSET 0) n;

-- name: NumbersOfOrders :many
-- All numbers that lead to these orders.
SELECT n.number, coalesce(n.order_id, 0)::bigint AS order_id, (n.cancelled_at IS NOT NULL)::boolean AS cancelled
FROM (SELECT DISTINCT unnest(@order_ids::bigint[]) AS id) k
CROSS JOIN LATERAL (SELECT * FROM order_numbers x WHERE x.org_id = @org_id AND x.order_id = k.id OFFSET 0) n
ORDER BY n.number;

-- name: FindMergeTargets :many
-- The orders that new ones may share: of each of the keys, the oldest ones, at
-- most so many.
SELECT DISTINCT t.id::bigint AS id
FROM (
    SELECT unnest(@customer_ids::bigint[]) AS customer_id, unnest(@dates::date[]) AS date,
        unnest(@order_type_ids::bigint[]) AS order_type_id, unnest(@vehicle_type_ids::bigint[]) AS vehicle_type_id,
        unnest(@consignee_ids::bigint[]) AS consignee_id, unnest(@consignor_ids::bigint[]) AS consignor_id,
        unnest(@freight_numbers::text[]) AS freight_number, unnest(@route_numbers::text[]) AS route_number,
        unnest(@pickup_ids::bigint[]) AS pickup_id, unnest(@delivery_ids::bigint[]) AS delivery_id
) k
CROSS JOIN LATERAL (
    SELECT o.id FROM orders o
    WHERE o.org_id = @org_id AND o.customer_id = k.customer_id AND o.date = k.date AND o.status_id <= 3
      AND o.order_type_id = k.order_type_id AND o.vehicle_type_id = k.vehicle_type_id
      AND coalesce(o.consignee_id, 0) = k.consignee_id AND coalesce(o.consignor_id, 0) = k.consignor_id
      AND coalesce(o.internal_freight_number, '') = k.freight_number AND coalesce(o.route_number, '') = k.route_number
      AND EXISTS (SELECT FROM order_stops s WHERE s.org_id = o.org_id AND s.order_id = o.id AND s.kind = 'pickup'
        AND s.location_id = k.pickup_id)
      AND EXISTS (SELECT FROM order_stops s WHERE s.org_id = o.org_id AND s.order_id = o.id AND s.kind = 'delivery'
        AND s.location_id = k.delivery_id)
    ORDER BY o.id LIMIT @most::int
) t;

-- name: LockOrders :exec
-- Locks orders until the end of the transaction, in the order of their ids.
SELECT o.id FROM (SELECT DISTINCT unnest(@ids::bigint[]) AS id ORDER BY 1) k
CROSS JOIN LATERAL (SELECT x.id FROM orders x WHERE x.org_id = @org_id AND x.id = k.id FOR UPDATE) o;

-- name: FindOrders :many
-- Orders, with the content of each number of shared ones.
SELECT id, number, status_id, date, coalesce(reference, '')::text AS reference, customer_id,
    coalesce(department_id, 0)::bigint AS department_id, order_type_id, vehicle_type_id,
    coalesce(replaced_vehicle_type_id, 0)::bigint AS replaced_vehicle_type_id,
    coalesce(internal_freight_number, '')::text AS internal_freight_number,
    coalesce(route_number, '')::text AS route_number, coalesce(consignee_id, 0)::bigint AS consignee_id,
    coalesce(consignor_id, 0)::bigint AS consignor_id, coalesce(o.asks, 'null')::jsonb AS asks,
    (SELECT jsonb_agg(jsonb_build_object('number', e.number, 'cancelled', n.cancelled_at IS NOT NULL, 'own', e.own)
        ORDER BY e.number)
     FROM erp_orders e JOIN order_numbers n ON n.org_id = e.org_id AND n.number = e.number
     WHERE e.org_id = o.org_id AND e.order_id = o.id)::jsonb AS shares
FROM unnest(@ids::bigint[]) AS k (order_id)
CROSS JOIN LATERAL (SELECT * FROM orders x WHERE x.org_id = @org_id AND x.id = k.order_id OFFSET 0) o
ORDER BY o.id;

-- name: FindStops :many
-- For a booked order, the windows are those without the booking.
SELECT s.id, s.order_id, kind, location_id, name, coalesce(address1, '')::text AS address1,
    coalesce(address2, '')::text AS address2, coalesce(postal_code, '')::text AS postal_code,
    coalesce(city, '')::text AS city, coalesce(state, '')::text AS state, coalesce(country, '')::text AS country,
    latitude, longitude, s.position, coalesce(s.asks, 'null')::jsonb AS asks,
    (CASE WHEN b.id IS NULL THEN s.earliest WHEN kind = 'pickup' THEN b.own_pickup_earliest
        ELSE b.own_delivery_earliest END)::timestamptz AS earliest,
    (CASE WHEN b.id IS NULL THEN s.latest WHEN kind = 'pickup' THEN b.own_pickup_latest
        ELSE b.own_delivery_latest END)::timestamptz AS latest,
    (CASE WHEN b.id IS NULL THEN s.window_source WHEN kind = 'pickup' THEN b.own_pickup_source
        ELSE b.own_delivery_source END)::text AS window_source,
    estimated_time_on_location, send_notification_before_arriving, coalesce(instructions, '')::text AS instructions,
    coalesce(customer_instructions, '')::text AS customer_instructions,
    coalesce(parking_instructions, '')::text AS parking_instructions, priority, (b.id IS NOT NULL)::boolean AS booked
FROM unnest(@order_ids::bigint[]) AS k (order_id)
CROSS JOIN LATERAL (SELECT * FROM order_stops x WHERE x.org_id = @org_id AND x.order_id = k.order_id OFFSET 0) s
LEFT JOIN bookings b ON b.org_id = s.org_id AND b.order_id = s.order_id
ORDER BY s.id;

-- name: FindStopContacts :many
SELECT c.stop_id, coalesce(c.first_name, '')::text AS first_name, coalesce(c.last_name, '')::text AS last_name,
    coalesce(c.phone_number, '')::text AS phone_number, coalesce(c.email_address, '')::text AS email_address
FROM unnest(@stop_ids::bigint[]) AS k (id)
CROSS JOIN LATERAL (SELECT * FROM stop_contacts x WHERE x.org_id = @org_id AND x.stop_id = k.id OFFSET 0) c
ORDER BY c.stop_id, c.seq;

-- name: FindStopSkills :many
SELECT s.stop_id, s.skill_id, s.type
FROM unnest(@stop_ids::bigint[]) AS k (id)
CROSS JOIN LATERAL (SELECT * FROM stop_skills x WHERE x.org_id = @org_id AND x.stop_id = k.id OFFSET 0) s;

-- name: FindProducts :many
SELECT p.id, order_id, number, seq, name, quantity, weight, length, width, height,
    coalesce(barcode_id, '')::text AS barcode_id, coalesce(external_id, '')::text AS external_id,
    coalesce(instance_number, '')::text AS instance_number, coalesce(parent_id, 0)::bigint AS parent_id,
    atom_type, is_modified, coalesce(load_amounts::text, '')::text AS load_amounts
FROM unnest(@order_ids::bigint[]) AS k (id)
CROSS JOIN LATERAL (SELECT * FROM order_products x WHERE x.org_id = @org_id AND x.order_id = k.id OFFSET 0) p
ORDER BY p.order_id, p.number, p.seq, p.id;

-- name: FindProductSkills :many
SELECT s.order_product_id, s.skill_id, s.type
FROM order_product_skills s JOIN order_products p ON p.org_id = s.org_id AND p.id = s.order_product_id
WHERE p.org_id = @org_id AND p.order_id = ANY (@order_ids::bigint[]);

-- name: FindGroupMembers :many
SELECT order_id, group_id FROM order_group_members
WHERE org_id = @org_id AND order_id = ANY (@order_ids::bigint[]) ORDER BY order_id, group_id;

-- name: FindPrices :many
SELECT order_id, name, price::text AS price, currency, quantity, computed FROM order_prices
WHERE org_id = @org_id AND order_id = ANY (@order_ids::bigint[]) ORDER BY order_id, seq;

-- name: FindCustomFieldValues :many
SELECT order_id, definition_id, value, coalesce(stop, '')::text AS stop FROM custom_field_values
WHERE org_id = @org_id AND order_id = ANY (@order_ids::bigint[]);

-- name: FindDrafts :many
-- The drafts of these numbers that have not become orders.
SELECT id, coalesce(external_id, '')::text AS external_id, coalesce(receipt, 0)::bigint AS receipt
FROM drafts WHERE org_id = @org_id AND external_id = ANY (@external_ids::text[]) ORDER BY id;

-- name: LockMerging :exec
-- Lets one transaction of an organization at a time merge orders, so that two
-- new orders that belong together find each other. No two organizations share
-- the key. v0.2.0 locks hashtext('waybill.merge') alone, which two may share;
-- the two versions wait for each other.
SELECT pg_advisory_xact_lock(hashtext('waybill.merging'), (@org_id::bigint)::int),
    pg_advisory_xact_lock_shared(hashtext('waybill.merge'), hashtext((@org_id::bigint)::text));
