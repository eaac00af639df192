-- name: NewIDs :many
-- Takes ids for new rows, all kinds in one round trip, in the order of the
-- kinds: orders, stops, products, drafts.
SELECT 1::smallint AS kind, nextval('orders_id_seq')::bigint AS id FROM generate_series(1, @orders::int)
UNION ALL SELECT 2::smallint, nextval('order_stops_id_seq')::bigint FROM generate_series(1, @stops::int)
UNION ALL SELECT 3::smallint, nextval('order_products_id_seq')::bigint FROM generate_series(1, @products::int)
UNION ALL SELECT 4::smallint, nextval('drafts_id_seq')::bigint FROM generate_series(1, @drafts::int)
ORDER BY 1, 2;

-- name: EnsureFreights :exec
-- Creates the freights that don't exist yet.
INSERT INTO freights (org_id, internal_freight_number, consignee_id, consignor_id)
SELECT DISTINCT @org_id::bigint, x.number, x.consignee_id, x.consignor_id
FROM (
    SELECT unnest(@numbers::text[]) AS number, unnest(@consignee_ids::bigint[]) AS consignee_id,
        unnest(@consignor_ids::bigint[]) AS consignor_id
) x
ORDER BY x.number, x.consignee_id, x.consignor_id
ON CONFLICT DO NOTHING;

-- name: InsertOrders :exec
-- Inserts orders under reserved ids. An order with a freight number and both
-- parties is added to that freight, which must exist.
INSERT INTO orders (org_id, id, number, serial, status_id, date, reference, customer_id, department_id, order_type_id,
    vehicle_type_id, internal_freight_number, route_number, consignee_id, consignor_id, freight_id, edited_at,
    replaced_vehicle_type_id, cancelled_at, asks)
SELECT @org_id, x.id, x.number, nextval((@serials::text)::regclass), x.status_id, x.date, nullif(x.reference, ''),
    x.customer_id, nullif(x.department_id, 0), x.order_type_id, x.vehicle_type_id, nullif(x.freight_number, ''),
    nullif(x.route_number, ''), nullif(x.consignee_id, 0), nullif(x.consignor_id, 0), f.id, now(),
    nullif(x.replaced_vehicle_type_id, 0), CASE WHEN x.status_id = 8 THEN now() END, nullif(x.asks, '')::jsonb
FROM (
    SELECT unnest(@ids::bigint[]) AS id, unnest(@numbers::text[]) AS number,
        unnest(@status_ids::smallint[]) AS status_id, unnest(@dates::date[]) AS date,
        unnest(@order_references::text[]) AS reference, unnest(@customer_ids::bigint[]) AS customer_id,
        unnest(@department_ids::bigint[]) AS department_id, unnest(@order_type_ids::bigint[]) AS order_type_id,
        unnest(@vehicle_type_ids::bigint[]) AS vehicle_type_id,
        unnest(@replaced_vehicle_type_ids::bigint[]) AS replaced_vehicle_type_id, unnest(@freight_numbers::text[]) AS freight_number,
        unnest(@route_numbers::text[]) AS route_number, unnest(@consignee_ids::bigint[]) AS consignee_id,
        unnest(@consignor_ids::bigint[]) AS consignor_id, unnest(@asks::text[]) AS asks
) x
LEFT JOIN freights f ON f.org_id = @org_id AND f.internal_freight_number = x.freight_number
    AND f.consignee_id = x.consignee_id AND f.consignor_id = x.consignor_id
ORDER BY x.id;

-- name: UpdateOrders :exec
-- Writes the headers and statuses of orders. Cancelling notes the time, and
-- being active again forgets it.
UPDATE orders o SET
    number = x.number, status_id = x.status_id, date = x.date, reference = nullif(x.reference, ''),
    customer_id = x.customer_id, department_id = nullif(x.department_id, 0), order_type_id = x.order_type_id,
    vehicle_type_id = x.vehicle_type_id, replaced_vehicle_type_id = nullif(x.replaced_vehicle_type_id, 0),
    internal_freight_number = nullif(x.freight_number, ''),
    route_number = nullif(x.route_number, ''), consignee_id = nullif(x.consignee_id, 0),
    consignor_id = nullif(x.consignor_id, 0), asks = nullif(x.asks, '')::jsonb,
    freight_id = (SELECT f.id FROM freights f WHERE f.org_id = o.org_id AND f.internal_freight_number = x.freight_number
        AND f.consignee_id = x.consignee_id AND f.consignor_id = x.consignor_id),
    updated_at = now(), edited_at = now(),
    cancelled_at = CASE WHEN x.status_id = 8 THEN coalesce(o.cancelled_at, now()) END
FROM (
    SELECT unnest(@ids::bigint[]) AS id, unnest(@numbers::text[]) AS number,
        unnest(@status_ids::smallint[]) AS status_id, unnest(@dates::date[]) AS date,
        unnest(@order_references::text[]) AS reference, unnest(@customer_ids::bigint[]) AS customer_id,
        unnest(@department_ids::bigint[]) AS department_id, unnest(@order_type_ids::bigint[]) AS order_type_id,
        unnest(@vehicle_type_ids::bigint[]) AS vehicle_type_id,
        unnest(@replaced_vehicle_type_ids::bigint[]) AS replaced_vehicle_type_id, unnest(@freight_numbers::text[]) AS freight_number,
        unnest(@route_numbers::text[]) AS route_number, unnest(@consignee_ids::bigint[]) AS consignee_id,
        unnest(@consignor_ids::bigint[]) AS consignor_id, unnest(@asks::text[]) AS asks
) x
WHERE o.org_id = @org_id AND o.id = x.id;

-- name: MarkStops :exec
-- Marks the stops of orders as cancelled, or as to be served again.
UPDATE order_stops s SET cancelled_at = CASE WHEN o.status_id = 8 THEN coalesce(s.cancelled_at, now()) END
FROM orders o
WHERE o.org_id = @org_id AND o.id = ANY (@order_ids::bigint[]) AND s.org_id = o.org_id AND s.order_id = o.id;

-- name: PutStops :exec
-- Inserts stops, or writes them over under their ids.
INSERT INTO order_stops (org_id, id, order_id, kind, location_id, name, address1, address2, postal_code, city, state,
    country, latitude, longitude, earliest, latest, window_source, estimated_time_on_location,
    send_notification_before_arriving, instructions, customer_instructions, parking_instructions, priority,
    position, asks)
SELECT @org_id, x.id, x.order_id, x.kind, x.location_id, x.name, nullif(x.address1, ''), nullif(x.address2, ''),
    nullif(x.postal_code, ''), nullif(x.city, ''), nullif(x.state, ''), nullif(x.country, ''),
    nullif(x.latitude, 'NaN'), nullif(x.longitude, 'NaN'), x.earliest, x.latest, x.window_source, nullif(x.minutes, -1),
    CASE x.notify WHEN 'y' THEN true WHEN 'n' THEN false END, nullif(x.instructions, ''),
    nullif(x.customer_instructions, ''), nullif(x.parking_instructions, ''), x.priority, nullif(x.position, '')::jsonb,
    nullif(x.asks, '')::jsonb
FROM (
    SELECT unnest(@ids::bigint[]) AS id, unnest(@order_ids::bigint[]) AS order_id, unnest(@kinds::text[]) AS kind,
        unnest(@location_ids::bigint[]) AS location_id, unnest(@names::text[]) AS name,
        unnest(@address1s::text[]) AS address1, unnest(@address2s::text[]) AS address2,
        unnest(@postal_codes::text[]) AS postal_code, unnest(@cities::text[]) AS city, unnest(@states::text[]) AS state,
        unnest(@countries::text[]) AS country, unnest(@latitudes::float8[]) AS latitude,
        unnest(@longitudes::float8[]) AS longitude, unnest(@earliests::timestamptz[]) AS earliest,
        unnest(@latests::timestamptz[]) AS latest, unnest(@window_sources::text[]) AS window_source,
        unnest(@minutes::int[]) AS minutes, unnest(@notifies::text[]) AS notify,
        unnest(@instructions::text[]) AS instructions, unnest(@customer_instructions::text[]) AS customer_instructions,
        unnest(@parking_instructions::text[]) AS parking_instructions, unnest(@priorities::text[]) AS priority,
        unnest(@positions::text[]) AS position, unnest(@asks::text[]) AS asks
) x
ORDER BY x.id
ON CONFLICT (org_id, id) DO UPDATE SET
    location_id = excluded.location_id, name = excluded.name, address1 = excluded.address1,
    address2 = excluded.address2, postal_code = excluded.postal_code, city = excluded.city, state = excluded.state,
    country = excluded.country, latitude = excluded.latitude, longitude = excluded.longitude,
    earliest = excluded.earliest, latest = excluded.latest, window_source = excluded.window_source,
    estimated_time_on_location = excluded.estimated_time_on_location,
    send_notification_before_arriving = excluded.send_notification_before_arriving,
    instructions = excluded.instructions, customer_instructions = excluded.customer_instructions,
    parking_instructions = excluded.parking_instructions, priority = excluded.priority,
    position = excluded.position, asks = excluded.asks;

-- name: DeleteStopContacts :exec
DELETE FROM stop_contacts WHERE org_id = @org_id AND stop_id = ANY (@stop_ids::bigint[]);

-- name: InsertStopContacts :exec
INSERT INTO stop_contacts (org_id, stop_id, seq, first_name, last_name, phone_number, email_address)
SELECT @org_id, x.stop_id, x.seq, nullif(x.first_name, ''), nullif(x.last_name, ''), nullif(x.phone_number, ''),
    nullif(x.email_address, '')
FROM (
    SELECT unnest(@stop_ids::bigint[]) AS stop_id, unnest(@seqs::smallint[]) AS seq,
        unnest(@first_names::text[]) AS first_name, unnest(@last_names::text[]) AS last_name,
        unnest(@phone_numbers::text[]) AS phone_number, unnest(@email_addresses::text[]) AS email_address
) x;

-- name: DeleteStopSkills :exec
DELETE FROM stop_skills WHERE org_id = @org_id AND stop_id = ANY (@stop_ids::bigint[]);

-- name: InsertStopSkills :exec
INSERT INTO stop_skills (org_id, stop_id, skill_id, type)
SELECT @org_id, unnest(@stop_ids::bigint[]), unnest(@skill_ids::bigint[]), unnest(@types::text[]);

-- name: DeleteProductsExcept :exec
-- Deletes the products of orders that are not among those to keep.
DELETE FROM order_products p USING (SELECT DISTINCT unnest(@order_ids::bigint[]) AS id) o
WHERE p.org_id = @org_id AND p.order_id = o.id
  AND NOT EXISTS (SELECT FROM (SELECT unnest(@keep_ids::bigint[]) AS id) k WHERE k.id = p.id);

-- name: PutProducts :exec
-- Inserts products, or writes them over under their ids.
INSERT INTO order_products (org_id, id, order_id, number, seq, name, quantity, weight, length, width, height,
    barcode_id, external_id, instance_number, parent_id, atom_type, is_modified, load_amounts)
SELECT @org_id, x.id, x.order_id, x.number, x.seq, x.name, x.quantity, nullif(x.weight, 'NaN'), nullif(x.length, 'NaN'),
    nullif(x.width, 'NaN'), nullif(x.height, 'NaN'), nullif(x.barcode_id, ''), nullif(x.external_id, ''),
    nullif(x.instance_number, ''), nullif(x.parent_id, 0), x.atom_type, x.is_modified, nullif(x.load_amounts, '')::jsonb
FROM (
    SELECT unnest(@ids::bigint[]) AS id, unnest(@order_ids::bigint[]) AS order_id, unnest(@numbers::text[]) AS number,
        unnest(@seqs::int[]) AS seq, unnest(@names::text[]) AS name, unnest(@quantities::float8[]) AS quantity,
        unnest(@weights::float8[]) AS weight, unnest(@lengths::float8[]) AS length, unnest(@widths::float8[]) AS width,
        unnest(@heights::float8[]) AS height, unnest(@barcode_ids::text[]) AS barcode_id,
        unnest(@external_ids::text[]) AS external_id, unnest(@instance_numbers::text[]) AS instance_number,
        unnest(@parent_ids::bigint[]) AS parent_id, unnest(@atom_types::text[]) AS atom_type,
        unnest(@is_modifieds::boolean[]) AS is_modified, unnest(@load_amounts::text[]) AS load_amounts
) x
ORDER BY x.id
ON CONFLICT (org_id, id) DO UPDATE SET
    number = excluded.number, seq = excluded.seq, name = excluded.name, quantity = excluded.quantity,
    weight = excluded.weight, length = excluded.length, width = excluded.width, height = excluded.height,
    barcode_id = excluded.barcode_id, external_id = excluded.external_id, instance_number = excluded.instance_number,
    parent_id = excluded.parent_id, atom_type = excluded.atom_type, is_modified = excluded.is_modified,
    load_amounts = excluded.load_amounts;

-- name: DeleteProductSkills :exec
DELETE FROM order_product_skills s USING order_products p
WHERE p.org_id = @org_id AND p.order_id = ANY (@order_ids::bigint[]) AND s.org_id = p.org_id
    AND s.order_product_id = p.id;

-- name: InsertProductSkills :exec
INSERT INTO order_product_skills (org_id, order_product_id, skill_id, type)
SELECT @org_id, unnest(@product_ids::bigint[]), unnest(@skill_ids::bigint[]), unnest(@types::text[]);

-- name: DeleteGroupMembers :exec
DELETE FROM order_group_members WHERE org_id = @org_id AND order_id = ANY (@order_ids::bigint[]);

-- name: InsertGroupMembers :exec
INSERT INTO order_group_members (org_id, order_id, group_id)
SELECT @org_id, unnest(@order_ids::bigint[]), unnest(@group_ids::bigint[]);

-- name: DeletePrices :exec
DELETE FROM order_prices WHERE org_id = @org_id AND order_id = ANY (@order_ids::bigint[]);

-- name: InsertPrices :exec
INSERT INTO order_prices (org_id, order_id, seq, name, price, currency, quantity, computed)
SELECT @org_id, x.order_id, x.seq, x.name, x.price::numeric, x.currency, x.quantity, x.computed
FROM (
    SELECT unnest(@order_ids::bigint[]) AS order_id, unnest(@seqs::int[]) AS seq, unnest(@names::text[]) AS name,
        unnest(@prices::text[]) AS price, unnest(@currencies::text[]) AS currency,
        unnest(@quantities::float8[]) AS quantity, unnest(@computed::boolean[]) AS computed
) x;

-- name: DeleteCustomFieldValues :exec
DELETE FROM custom_field_values WHERE org_id = @org_id AND order_id = ANY (@order_ids::bigint[]);

-- name: InsertCustomFieldValues :exec
INSERT INTO custom_field_values (org_id, order_id, definition_id, value, stop)
SELECT @org_id, x.order_id, x.definition_id, x.value::jsonb, nullif(x.stop, '')
FROM (
    SELECT unnest(@order_ids::bigint[]) AS order_id, unnest(@definition_ids::bigint[]) AS definition_id,
        unnest(@values::text[]) AS value, unnest(@stops::text[]) AS stop
) x;

-- name: TouchOrders :exec
-- Notes that something of these orders changed.
UPDATE orders SET updated_at = now(), edited_at = now() WHERE org_id = @org_id AND id = ANY (@ids::bigint[]);

-- name: NoteAsGenerated :exec
-- Notes that orders are as their template wrote them in this transaction.
UPDATE orders SET edited_at = NULL WHERE org_id = @org_id AND id = ANY (@ids::bigint[]);

-- name: LeadNumbers :exec
-- Links numbers to orders, and makes them count unless they are cancelled.
-- Looks up the orders by number in an object: a join of unnested arrays
-- compares each pair. A receipt of 0 is assigned now, and one below 0 means
-- none.
UPDATE order_numbers n SET order_id = (x.orders ->> n.number)::bigint,
    cancelled_at = CASE WHEN n.number = ANY (@cancelled::text[]) THEN coalesce(n.cancelled_at, now()) END,
    receipt = greatest(n.receipt, CASE WHEN @receipt::bigint > 0 THEN @receipt::bigint
        WHEN @receipt::bigint = 0 THEN (SELECT nextval('imports_id_seq')) END)
FROM (SELECT @orders::jsonb AS orders OFFSET 0) x
WHERE n.org_id = @org_id AND n.number = ANY (@numbers::text[]);

-- name: InsertNumbers :exec
-- Creates new numbers, each with its order and its receipt, as LeadNumbers and
-- NoteReceipt do for existing ones. A number created by another transaction violates the
-- key. Sorted, as in ClaimNumbers.
INSERT INTO order_numbers (org_id, number, order_id, cancelled_at, receipt)
SELECT @org_id, x.number, nullif(x.order_id, 0), CASE WHEN x.number = ANY (@cancelled::text[]) THEN now() END,
    CASE WHEN NOT x.spoken THEN NULL WHEN @receipt::bigint > 0 THEN @receipt::bigint
        WHEN @receipt::bigint = 0 THEN (SELECT nextval('imports_id_seq')) END
FROM (
    SELECT unnest(@numbers::text[]) AS number, unnest(@order_ids::bigint[]) AS order_id, unnest(@spoken::boolean[]) AS spoken
) x
ORDER BY x.number;

-- name: NoteReceipt :exec
-- Notes that something was received about numbers: at a place in the order of receipt,
-- or now where that is 0.
UPDATE order_numbers n SET receipt = r.receipt
FROM (SELECT CASE WHEN @receipt::bigint > 0 THEN @receipt::bigint ELSE nextval('imports_id_seq') END AS receipt OFFSET 0) r
WHERE n.org_id = @org_id AND n.number = ANY (@numbers::text[]) AND coalesce(n.receipt, 0) < r.receipt;

-- name: CancelNumbers :exec
-- Cancels numbers. This counts as received now, unless nobody requested it.
UPDATE order_numbers SET cancelled_at = coalesce(cancelled_at, now()),
    receipt = CASE WHEN @silent::boolean THEN receipt ELSE (SELECT nextval('imports_id_seq')) END
WHERE org_id = @org_id AND number = ANY (@numbers::text[]);

-- name: PutERPOrders :exec
-- Stores the content of each number of a shared order.
INSERT INTO erp_orders (org_id, number, order_id, own)
SELECT @org_id, x.number, x.order_id, x.own::jsonb
FROM (
    SELECT unnest(@numbers::text[]) AS number, unnest(@order_ids::bigint[]) AS order_id, unnest(@owns::text[]) AS own
) x
ORDER BY x.number
ON CONFLICT (org_id, number) DO UPDATE SET order_id = excluded.order_id, own = excluded.own;

-- name: DeleteERPOrdersExcept :exec
-- Deletes the numbers that do not share these orders any more.
DELETE FROM erp_orders e
WHERE e.org_id = @org_id AND e.order_id = ANY (@order_ids::bigint[]) AND NOT e.number = ANY (@keep_numbers::text[]);

-- name: PutDrafts :exec
-- Inserts drafts, or writes them over under their ids. A draft with an order
-- has been promoted.
INSERT INTO drafts (org_id, id, external_id, state, request, defaults, reasons, order_id, receipt)
SELECT @org_id, x.id, nullif(x.external_id, ''), CASE WHEN x.order_id = 0 THEN 'incomplete' ELSE 'promoted' END,
    x.request::jsonb, @defaults::jsonb, x.reasons::jsonb, nullif(x.order_id, 0),
    CASE WHEN @receipt::bigint > 0 THEN @receipt::bigint
        WHEN @receipt::bigint = 0 THEN (SELECT nextval('imports_id_seq')) END
FROM (
    SELECT unnest(@ids::bigint[]) AS id, unnest(@external_ids::text[]) AS external_id,
        unnest(@requests::text[]) AS request, unnest(@reasons::text[]) AS reasons,
        unnest(@order_ids::bigint[]) AS order_id
) x
ON CONFLICT (org_id, id) DO UPDATE SET
    state = excluded.state, order_id = excluded.order_id, updated_at = now(),
    receipt = greatest(drafts.receipt, excluded.receipt),
    request = CASE WHEN excluded.state = 'promoted' THEN drafts.request ELSE excluded.request END,
    defaults = CASE WHEN excluded.state = 'promoted' THEN drafts.defaults ELSE excluded.defaults END,
    reasons = CASE WHEN excluded.state = 'promoted' THEN drafts.reasons ELSE excluded.reasons END;

-- name: WriteTextsLater :exec
-- Leaves the search texts of orders to WriteTexts, until it runs or the
-- transaction ends.
SELECT set_config('app.order_texts', 'later', true);

-- name: WriteTexts :exec
-- Writes the search texts of these orders.
SELECT write_order_texts(@org_id, @order_ids::bigint[]), set_config('app.order_texts', '', true);
