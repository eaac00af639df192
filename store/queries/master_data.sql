-- Master data that people keep up one by one. A record with the id 0 is new.

-- name: UnknownMasterData :many
-- The positions, from 1, of list entries that don't exist or are inactive.
SELECT x.n::int AS place FROM (
    SELECT row_number() OVER () AS n, g.kind, g.id, g.name
    FROM (SELECT unnest(@kinds::text[]) AS kind, unnest(@ids::bigint[]) AS id, unnest(@names::text[]) AS name) g
) x
WHERE NOT CASE x.kind
    WHEN 'department' THEN EXISTS (SELECT FROM departments t WHERE t.org_id = @org_id AND t.id = x.id AND t.is_active)
    WHEN 'vehicle_type' THEN EXISTS (SELECT FROM vehicle_types t WHERE t.org_id = @org_id AND t.id = x.id AND t.is_active)
    WHEN 'order_type' THEN EXISTS (SELECT FROM order_types t WHERE t.org_id = @org_id AND t.id = x.id AND t.is_active)
    WHEN 'zone' THEN EXISTS (SELECT FROM zones t WHERE t.org_id = @org_id AND t.id = x.id AND t.is_active)
    WHEN 'freight_level' THEN EXISTS (SELECT FROM freight_levels t WHERE t.org_id = @org_id AND t.id = x.id AND t.is_active)
    WHEN 'calendar' THEN EXISTS (SELECT FROM calendars t WHERE t.org_id = @org_id AND t.id = x.id AND t.is_active)
    WHEN 'location' THEN EXISTS (SELECT FROM locations t WHERE t.org_id = @org_id AND t.id = x.id AND t.deleted_at IS NULL)
    WHEN 'skill' THEN EXISTS (SELECT FROM skills t WHERE t.org_id = @org_id AND lower(t.name) = x.name AND t.is_active)
    WHEN 'load_dimension' THEN EXISTS (SELECT FROM organizations y WHERE y.id = @org_id::bigint
        AND y.load_dimensions @> jsonb_build_array(jsonb_build_object('name', x.name)))
    ELSE false END
ORDER BY x.n;

-- name: UsesOfMasterData :one
-- How many active records refer to one.
SELECT uses_of_master_data(@org_id, @kind::text, @id)::bigint AS uses;

-- name: SkillsByName :many
SELECT id FROM skills WHERE org_id = @org_id AND lower(name) IN (SELECT lower(n) FROM unnest(@names::text[]) n) ORDER BY id;

-- name: SaveDepartment :one
INSERT INTO departments AS t (org_id, id, name, is_active, loading_minutes, release_minute, release_days_before,
    release_threshold_minutes, calendar_id)
VALUES (@org_id, coalesce(nullif(@id::bigint, 0), nextval(pg_get_serial_sequence('departments', 'id'))), @name, @is_active,
    sqlc.narg('loading_minutes'), sqlc.narg('release_minute'), @release_days_before, @release_threshold_minutes,
    sqlc.narg('calendar_id'))
ON CONFLICT (org_id, id) DO UPDATE SET name = excluded.name, is_active = excluded.is_active,
    loading_minutes = excluded.loading_minutes, release_minute = excluded.release_minute,
    release_days_before = excluded.release_days_before, release_threshold_minutes = excluded.release_threshold_minutes,
    calendar_id = excluded.calendar_id
RETURNING t.id;

-- name: SaveGroup :one
INSERT INTO order_groups AS t (org_id, id, name, is_active)
VALUES (@org_id, coalesce(nullif(@id::bigint, 0), nextval(pg_get_serial_sequence('order_groups', 'id'))), @name, @is_active)
ON CONFLICT (org_id, id) DO UPDATE SET name = excluded.name, is_active = excluded.is_active
RETURNING t.id;

-- name: SaveSkill :one
INSERT INTO skills AS t (org_id, id, name, is_active, for_two)
VALUES (@org_id, coalesce(nullif(@id::bigint, 0), nextval(pg_get_serial_sequence('skills', 'id'))), @name, @is_active, @for_two)
ON CONFLICT (org_id, id) DO UPDATE SET name = excluded.name, is_active = excluded.is_active, for_two = excluded.for_two
RETURNING t.id;

-- name: SaveCustomer :one
INSERT INTO customers AS t (org_id, id, external_id, business_name, department_id, email_address, phone_number, calendar_id, is_active)
VALUES (@org_id, coalesce(nullif(@id::bigint, 0), nextval(pg_get_serial_sequence('customers', 'id'))),
    sqlc.narg('external_id'), @business_name, sqlc.narg('department_id'), sqlc.narg('email_address'),
    sqlc.narg('phone_number'), sqlc.narg('calendar_id'), @is_active)
ON CONFLICT (org_id, id) DO UPDATE SET external_id = excluded.external_id, business_name = excluded.business_name,
    department_id = excluded.department_id, email_address = excluded.email_address, phone_number = excluded.phone_number,
    calendar_id = excluded.calendar_id, is_active = excluded.is_active, updated_at = now()
RETURNING t.id;

-- name: SaveCalendar :one
INSERT INTO calendars AS t (org_id, id, name, closed, is_active)
VALUES (@org_id, coalesce(nullif(@id::bigint, 0), nextval(pg_get_serial_sequence('calendars', 'id'))), @name,
    @closed::jsonb, @is_active)
ON CONFLICT (org_id, id) DO UPDATE SET name = excluded.name, closed = excluded.closed, is_active = excluded.is_active
RETURNING t.id;

-- name: CountCalendars :one
-- How many active calendars an organization has.
SELECT count(*)::bigint AS calendars FROM calendars WHERE org_id = @org_id AND is_active;

-- name: SaveVehicleType :one
INSERT INTO vehicle_types AS t (org_id, id, name, max_weight_kg, max_volume_m3, max_route_km, max_stops, max_driving_minutes, driving_rule, max_loads,
    extra_setup_seconds, travels_as, is_active,
    height_m, width_m, length_m, gross_weight_kg, axle_load_kg, top_speed_kmh, hazardous_goods,
    avoids_ferries, avoids_tolls, cost_per_shift, cost_per_hour, cost_per_km)
VALUES (@org_id, coalesce(nullif(@id::bigint, 0), nextval(pg_get_serial_sequence('vehicle_types', 'id'))), @name,
    sqlc.narg('max_weight_kg')::float8, sqlc.narg('max_volume_m3')::float8, sqlc.narg('max_route_km')::float8,
    sqlc.narg('max_stops')::int, sqlc.narg('max_driving_minutes')::int, sqlc.narg('driving_rule')::text,
    nullif(@max_loads::text, '')::jsonb, @extra_setup_seconds, @travels_as, @is_active,
    sqlc.narg('height_m')::float8, sqlc.narg('width_m')::float8, sqlc.narg('length_m')::float8,
    sqlc.narg('gross_weight_kg')::float8, sqlc.narg('axle_load_kg')::float8, sqlc.narg('top_speed_kmh')::float8,
    @hazardous_goods, @avoids_ferries, @avoids_tolls,
    sqlc.narg('cost_per_shift')::float8, sqlc.narg('cost_per_hour')::float8, sqlc.narg('cost_per_km')::float8)
ON CONFLICT (org_id, id) DO UPDATE SET name = excluded.name, max_weight_kg = excluded.max_weight_kg,
    max_volume_m3 = excluded.max_volume_m3, max_route_km = excluded.max_route_km, travels_as = excluded.travels_as,
    max_stops = excluded.max_stops, max_driving_minutes = excluded.max_driving_minutes,
    driving_rule = excluded.driving_rule, max_loads = excluded.max_loads,
    extra_setup_seconds = excluded.extra_setup_seconds, is_active = excluded.is_active,
    height_m = excluded.height_m, width_m = excluded.width_m, length_m = excluded.length_m,
    gross_weight_kg = excluded.gross_weight_kg, axle_load_kg = excluded.axle_load_kg, top_speed_kmh = excluded.top_speed_kmh,
    hazardous_goods = excluded.hazardous_goods, avoids_ferries = excluded.avoids_ferries, avoids_tolls = excluded.avoids_tolls,
    cost_per_shift = excluded.cost_per_shift, cost_per_hour = excluded.cost_per_hour, cost_per_km = excluded.cost_per_km
RETURNING t.id;

-- name: SetAlsoServes :exec
-- Makes the types that a type also serves these.
WITH removed AS (
    DELETE FROM vehicle_type_also_serves t
    WHERE t.org_id = @org_id AND t.vehicle_type_id = @id AND NOT t.served_type_id = ANY (@served_ids::bigint[])
)
INSERT INTO vehicle_type_also_serves (org_id, vehicle_type_id, served_type_id)
SELECT @org_id, @id, unnest(@served_ids::bigint[]) ON CONFLICT DO NOTHING;

-- name: SaveVehicle :one
INSERT INTO vehicles AS t (org_id, id, registration, name, vehicle_type_id, max_weight_kg, max_volume_m3, max_route_km,
    home_location_id, max_loads, is_active)
VALUES (@org_id, coalesce(nullif(@id::bigint, 0), nextval(pg_get_serial_sequence('vehicles', 'id'))), @registration,
    sqlc.narg('name'), @vehicle_type_id, sqlc.narg('max_weight_kg')::float8, sqlc.narg('max_volume_m3')::float8,
    sqlc.narg('max_route_km')::float8, sqlc.narg('home_location_id'),
    nullif(@max_loads::text, '')::jsonb, @is_active)
ON CONFLICT (org_id, id) DO UPDATE SET registration = excluded.registration, name = excluded.name,
    vehicle_type_id = excluded.vehicle_type_id, max_weight_kg = excluded.max_weight_kg,
    max_volume_m3 = excluded.max_volume_m3, max_route_km = excluded.max_route_km,
    home_location_id = excluded.home_location_id, max_loads = excluded.max_loads, is_active = excluded.is_active, updated_at = now()
RETURNING t.id;

-- name: SetVehicleSkills :exec
WITH removed AS (
    DELETE FROM vehicle_skills t
    WHERE t.org_id = @org_id AND t.vehicle_id = @id AND NOT t.skill_id = ANY (@skill_ids::bigint[])
)
INSERT INTO vehicle_skills (org_id, vehicle_id, skill_id)
SELECT @org_id, @id, unnest(@skill_ids::bigint[]) ON CONFLICT DO NOTHING;

-- name: SaveOrderType :one
-- Minutes below zero mean none.
INSERT INTO order_types AS t (org_id, id, name, priority, ready_from, pick_up_before, deliver_before,
    min_book_ahead_minutes, max_book_ahead_minutes, export_carrier, proof, service_time, is_active)
VALUES (@org_id, coalesce(nullif(@id::bigint, 0), nextval(pg_get_serial_sequence('order_types', 'id'))), @name,
    @priority, sqlc.narg('ready_from'), sqlc.narg('pick_up_before'), sqlc.narg('deliver_before'),
    sqlc.narg('min_book_ahead_minutes'), sqlc.narg('max_book_ahead_minutes'), sqlc.narg('export_carrier'),
    nullif(@proof::text, '')::jsonb, nullif(@service_time::text, '')::jsonb, @is_active)
ON CONFLICT (org_id, id) DO UPDATE SET name = excluded.name, priority = excluded.priority,
    ready_from = excluded.ready_from, pick_up_before = excluded.pick_up_before, deliver_before = excluded.deliver_before,
    min_book_ahead_minutes = excluded.min_book_ahead_minutes, max_book_ahead_minutes = excluded.max_book_ahead_minutes,
    export_carrier = excluded.export_carrier, proof = excluded.proof, service_time = excluded.service_time, is_active = excluded.is_active
RETURNING t.id;

-- name: SaveProduct :one
INSERT INTO products AS t (org_id, id, external_id, name, barcode_id, weight, length, width, height, atom_type, is_active)
VALUES (@org_id, coalesce(nullif(@id::bigint, 0), nextval(pg_get_serial_sequence('products', 'id'))), @external_id,
    @name, sqlc.narg('barcode_id'), sqlc.narg('weight')::float8, sqlc.narg('length')::float8,
    sqlc.narg('width')::float8, sqlc.narg('height')::float8, @atom_type, @is_active)
ON CONFLICT (org_id, id) DO UPDATE SET external_id = excluded.external_id, name = excluded.name,
    barcode_id = excluded.barcode_id, weight = excluded.weight, length = excluded.length, width = excluded.width,
    height = excluded.height, atom_type = excluded.atom_type, is_active = excluded.is_active, updated_at = now()
RETURNING t.id;

-- name: SetProductSkills :exec
WITH removed AS (
    DELETE FROM product_skills t
    WHERE t.org_id = @org_id AND t.product_id = @id AND NOT t.skill_id = ANY (@skill_ids::bigint[])
)
INSERT INTO product_skills (org_id, product_id, skill_id)
SELECT @org_id, @id, unnest(@skill_ids::bigint[]) ON CONFLICT DO NOTHING;

-- name: DropProductUnits :exec
DELETE FROM product_units WHERE org_id = @org_id AND product_id = @id;

-- name: AddProductUnits :exec
-- An empty barcode means none.
INSERT INTO product_units (org_id, product_id, seq, name, quantity, barcode_id)
SELECT @org_id, @id, row_number() OVER (), x.name, x.quantity::numeric, nullif(x.barcode_id, '')
FROM (SELECT unnest(@names::text[]) AS name, unnest(@quantities::float8[]) AS quantity,
    unnest(@barcode_ids::text[]) AS barcode_id) x;

-- name: SaveZone :one
INSERT INTO zones AS t (org_id, id, name, areas, is_active)
VALUES (@org_id, coalesce(nullif(@id::bigint, 0), nextval(pg_get_serial_sequence('zones', 'id'))), @name,
    @areas::jsonb, @is_active)
ON CONFLICT (org_id, id) DO UPDATE SET name = excluded.name, areas = excluded.areas, is_active = excluded.is_active
RETURNING t.id;

-- name: SaveFreightLevel :one
-- Null sorts last.
INSERT INTO freight_levels AS t (org_id, id, name, seq, max_weight_kg, max_volume_m3, max_colli, is_active)
VALUES (@org_id, coalesce(nullif(@id::bigint, 0), nextval(pg_get_serial_sequence('freight_levels', 'id'))), @name,
    coalesce(sqlc.narg('seq')::int, (SELECT coalesce(max(l.seq) + 1, 0) FROM freight_levels l WHERE l.org_id = @org_id)),
    sqlc.narg('max_weight_kg')::float8, sqlc.narg('max_volume_m3')::float8, sqlc.narg('max_colli'), @is_active)
ON CONFLICT (org_id, id) DO UPDATE SET name = excluded.name, seq = excluded.seq, max_weight_kg = excluded.max_weight_kg,
    max_volume_m3 = excluded.max_volume_m3, max_colli = excluded.max_colli, is_active = excluded.is_active
RETURNING t.id;

-- name: SavePriceList :one
-- Null sorts last.
INSERT INTO price_lists AS t (org_id, id, name, seq, currency, minimum_price, is_active)
VALUES (@org_id, coalesce(nullif(@id::bigint, 0), nextval(pg_get_serial_sequence('price_lists', 'id'))), @name,
    coalesce(sqlc.narg('seq')::int, (SELECT coalesce(max(l.seq) + 1, 0) FROM price_lists l WHERE l.org_id = @org_id)),
    @currency, (@minimum_price::text)::numeric, @is_active)
ON CONFLICT (org_id, id) DO UPDATE SET name = excluded.name, seq = excluded.seq, currency = excluded.currency,
    minimum_price = excluded.minimum_price, is_active = excluded.is_active
RETURNING t.id;

-- name: SaveNotificationRule :one
INSERT INTO notification_rules AS t (org_id, id, event, channel, receiver, address, subject, body, body_html, window_from,
    window_to, series, days_ahead, is_active)
VALUES (@org_id, coalesce(nullif(@id::bigint, 0), nextval(pg_get_serial_sequence('notification_rules', 'id'))), @event,
    @channel, @receiver, @address, @subject, @body, @body_html, sqlc.narg('window_from'), sqlc.narg('window_to'), @series,
    sqlc.narg('days_ahead'), @is_active)
ON CONFLICT (org_id, id) DO UPDATE SET event = excluded.event, channel = excluded.channel, receiver = excluded.receiver,
    address = excluded.address, subject = excluded.subject, body = excluded.body, body_html = excluded.body_html,
    window_from = excluded.window_from, window_to = excluded.window_to, series = excluded.series,
    days_ahead = excluded.days_ahead, is_active = excluded.is_active
RETURNING t.id;
