-- name: FindOrganization :one
-- The id of the organization with a slug, or 0. Bypasses the policies, because
-- the caller does not know the organization yet.
SELECT coalesce(find_organization(@slug), 0)::bigint AS id;

-- name: NextOrganizationID :one
-- The id of a new organization: a session must name the organization before it
-- may insert it.
SELECT nextval(pg_get_serial_sequence('organizations', 'id'))::bigint AS id;

-- name: WorkflowName :one
-- An organization's name in workflow IDs.
SELECT workflow_name FROM organizations WHERE id = @org_id;

-- name: LockOrganization :one
-- Makes documents of one organization take turns. Rows that refer to the
-- organization can be written meanwhile.
SELECT timezone FROM organizations WHERE id = @org_id FOR NO KEY UPDATE;

-- name: KnowsZone :one
-- Whether the database computes with a time zone of this name.
SELECT knows_time_zone(@zone)::boolean AS known;

-- name: CreateOrganization :exec
INSERT INTO organizations (id, slug, name, timezone, language, allow_merge, reexport, reexport_since, sandbox,
    approaching_minutes, sscc_prefix, office_phone, proof, keep_orders_days)
VALUES (@org_id, @slug, @name, @timezone, @language, @allow_merge, @reexport,
    CASE WHEN @reexport::boolean THEN now() END, @sandbox, @approaching_minutes, nullif(@sscc_prefix::text, ''),
    nullif(@office_phone::text, ''), nullif(@proof::text, '')::jsonb, nullif(@keep_orders_days::int, 0));

-- name: UpdateOrganization :execrows
-- Settings that are null stay as they are. Re-export counts from when it is
-- switched on.
UPDATE organizations o SET name = @name, timezone = @timezone, language = @language,
    allow_merge = coalesce(sqlc.narg('allow_merge'), o.allow_merge),
    reexport = coalesce(sqlc.narg('reexport'), o.reexport),
    reexport_since = CASE WHEN sqlc.narg('reexport') AND NOT o.reexport THEN now() ELSE o.reexport_since END,
    sandbox = coalesce(sqlc.narg('sandbox'), o.sandbox),
    approaching_minutes = coalesce(sqlc.narg('approaching_minutes'), o.approaching_minutes),
    sscc_prefix = nullif(coalesce(sqlc.narg('sscc_prefix')::text, o.sscc_prefix, ''), ''),
    keep_orders_days = nullif(coalesce(sqlc.narg('keep_orders_days')::int, o.keep_orders_days, 0), 0),
    office_phone = nullif(coalesce(sqlc.narg('office_phone')::text, o.office_phone, ''), ''),
    proof = nullif(coalesce(sqlc.narg('proof')::text, o.proof::text, ''), '')::jsonb, updated_at = now()
WHERE o.id = @org_id AND (o.name, o.timezone, o.language, o.allow_merge, o.reexport, o.sandbox, o.approaching_minutes,
        o.sscc_prefix, o.office_phone, o.proof, o.keep_orders_days)
    IS DISTINCT FROM (@name, @timezone, @language, coalesce(sqlc.narg('allow_merge'), o.allow_merge),
        coalesce(sqlc.narg('reexport'), o.reexport), coalesce(sqlc.narg('sandbox'), o.sandbox),
        coalesce(sqlc.narg('approaching_minutes'), o.approaching_minutes),
        nullif(coalesce(sqlc.narg('sscc_prefix')::text, o.sscc_prefix, ''), ''),
        nullif(coalesce(sqlc.narg('office_phone')::text, o.office_phone, ''), ''),
        nullif(coalesce(sqlc.narg('proof')::text, o.proof::text, ''), '')::jsonb,
        nullif(coalesce(sqlc.narg('keep_orders_days')::int, o.keep_orders_days, 0), 0));

-- name: SetPrivacy :execrows
-- Sets the retention of personal data in days, and whether carriers get prices and the geocoding
-- provider gets addresses; null leaves a value unchanged.
UPDATE organizations o SET shipment_prices = coalesce(sqlc.narg('shipment_prices'), o.shipment_prices),
    ask_geocoder = coalesce(sqlc.narg('ask_geocoder'), o.ask_geocoder),
    keep_people_days = coalesce(sqlc.narg('people_days'), o.keep_people_days),
    keep_proofs_days = coalesce(sqlc.narg('proofs_days'), o.keep_proofs_days),
    keep_drivers_days = coalesce(sqlc.narg('drivers_days'), o.keep_drivers_days), updated_at = now()
WHERE o.id = @org_id AND (o.shipment_prices, o.ask_geocoder, o.keep_people_days, o.keep_proofs_days, o.keep_drivers_days)
    IS DISTINCT FROM (coalesce(sqlc.narg('shipment_prices'), o.shipment_prices),
        coalesce(sqlc.narg('ask_geocoder'), o.ask_geocoder),
        coalesce(sqlc.narg('people_days'), o.keep_people_days), coalesce(sqlc.narg('proofs_days'), o.keep_proofs_days), coalesce(sqlc.narg('drivers_days'), o.keep_drivers_days));

-- name: SetPlaces :execrows
-- Sets which proposals of positions are accepted without a person; null leaves a value unchanged.
UPDATE organizations o SET accept_drivers_pins = coalesce(sqlc.narg('drivers_pins'), o.accept_drivers_pins),
    accept_arrivals = coalesce(sqlc.narg('arrivals'), o.accept_arrivals), updated_at = now()
WHERE o.id = @org_id AND (o.accept_drivers_pins, o.accept_arrivals)
    IS DISTINCT FROM (coalesce(sqlc.narg('drivers_pins'), o.accept_drivers_pins), coalesce(sqlc.narg('arrivals'), o.accept_arrivals));

-- name: SetLoading :execrows
-- Sets how long it takes to load a vehicle before its shift; minutes below zero mean that drivers load during it,
-- and null leaves the value unchanged.
UPDATE organizations o SET loading_minutes = CASE WHEN sqlc.narg('minutes')::int >= 0 THEN sqlc.narg('minutes')::int END,
    updated_at = now()
WHERE o.id = @org_id AND sqlc.narg('minutes')::int IS NOT NULL
  AND coalesce(o.loading_minutes, -1) <> greatest(sqlc.narg('minutes')::int, -1);

-- name: SetShiftLimits :execrows
-- Sets the limits of each shift; below zero is no limit, and null leaves the value unchanged.
UPDATE organizations o SET max_stops = CASE WHEN w.stops IS NULL THEN o.max_stops WHEN w.stops > 0 THEN w.stops END,
    max_driving_minutes = CASE WHEN w.minutes IS NULL THEN o.max_driving_minutes WHEN w.minutes > 0 THEN w.minutes END,
    updated_at = now()
FROM (SELECT sqlc.narg('max_stops')::int AS stops, sqlc.narg('max_driving_minutes')::int AS minutes) w
WHERE o.id = @org_id AND (
    w.stops IS NOT NULL AND coalesce(o.max_stops, -1) <> w.stops
    OR w.minutes IS NOT NULL AND coalesce(o.max_driving_minutes, -1) <> w.minutes);

-- name: SetGoodsApart :execrows
-- Sets which goods must not travel together; empty is none.
UPDATE organizations o SET goods_apart = nullif(@goods_apart::text, '')::jsonb, updated_at = now()
WHERE o.id = @org_id AND o.goods_apart IS DISTINCT FROM nullif(@goods_apart::text, '')::jsonb;

-- name: SetLoadDimensions :execrows
-- Sets what limits vehicles in addition to weight and volume; empty is nothing.
UPDATE organizations o SET load_dimensions = nullif(@load_dimensions::text, '')::jsonb, updated_at = now()
WHERE o.id = @org_id AND o.load_dimensions IS DISTINCT FROM nullif(@load_dimensions::text, '')::jsonb;

-- name: LoadDimensions :one
SELECT coalesce(load_dimensions, 'null')::jsonb AS load_dimensions FROM organizations WHERE id = @org_id;

-- name: SetOrganizationSettings :exec
-- Sets what an administrator can change without a document; empty means none.
UPDATE organizations SET name = @name, timezone = @timezone, language = @language, office_phone = nullif(@office_phone::text, ''), proof = nullif(@proof::text, '')::jsonb,
    loading_minutes = sqlc.narg('loading_minutes'), goods_apart = nullif(@goods_apart::text, '')::jsonb,
    load_dimensions = nullif(@load_dimensions::text, '')::jsonb, max_stops = sqlc.narg('max_stops'),
    max_driving_minutes = sqlc.narg('max_driving_minutes'), costs = nullif(@costs::text, '')::jsonb,
    rush_hours = nullif(@rush_hours::text, '')::jsonb, recipient_page = nullif(@recipient_page::text, '')::jsonb,
    updated_at = now()
WHERE id = @org_id;

-- name: SetCosts :execrows
-- Sets the prices of plans; empty is none.
UPDATE organizations o SET costs = nullif(@costs::text, '')::jsonb, updated_at = now()
WHERE o.id = @org_id AND o.costs IS DISTINCT FROM nullif(@costs::text, '')::jsonb;

-- name: SetRushHours :execrows
-- Sets when driving takes longer than the road data says; empty is never.
UPDATE organizations o SET rush_hours = nullif(@rush_hours::text, '')::jsonb, updated_at = now()
WHERE o.id = @org_id AND o.rush_hours IS DISTINCT FROM nullif(@rush_hours::text, '')::jsonb;

-- name: SetRecipientPage :execrows
-- Sets how the organization shows itself to recipients; empty is nothing.
UPDATE organizations o SET recipient_page = nullif(@recipient_page::text, '')::jsonb, updated_at = now()
WHERE o.id = @org_id AND o.recipient_page IS DISTINCT FROM nullif(@recipient_page::text, '')::jsonb;

-- name: RecipientPage :one
SELECT coalesce(recipient_page, '{}')::jsonb AS recipient_page FROM organizations WHERE id = @org_id;

-- name: ApplyDepartments :one
-- Release times below zero leave the release to people. A calendar of 0 is none, and one below zero what it was.
WITH wanted AS (
    SELECT x.name, x.says_release, CASE WHEN x.release_minute >= 0 THEN x.release_minute END AS release_minute, x.days_before, x.threshold,
        x.calendar_id
    FROM (SELECT unnest(@names::text[]) AS name, unnest(@says_releases::boolean[]) AS says_release,
        unnest(@release_minutes::smallint[]) AS release_minute, unnest(@days_befores::int[]) AS days_before,
        unnest(@thresholds::int[]) AS threshold, unnest(@calendar_ids::bigint[]) AS calendar_id) x
), updated AS (
    UPDATE departments t SET name = w.name, is_active = true, source = 'document',
        release_minute = CASE WHEN w.says_release THEN w.release_minute ELSE t.release_minute END,
        release_days_before = CASE WHEN w.says_release THEN w.days_before ELSE t.release_days_before END,
        release_threshold_minutes = CASE WHEN w.says_release THEN w.threshold ELSE t.release_threshold_minutes END,
        calendar_id = CASE WHEN w.calendar_id < 0 THEN t.calendar_id ELSE nullif(w.calendar_id, 0) END
    FROM wanted w
    WHERE t.org_id = @org_id AND lower(t.name) = lower(w.name)
      AND ((t.name, t.is_active, t.source) IS DISTINCT FROM (w.name, true, 'document')
        OR w.says_release AND (t.release_minute, t.release_days_before::int, t.release_threshold_minutes::int)
            IS DISTINCT FROM (w.release_minute, w.days_before, w.threshold)
        OR w.calendar_id >= 0 AND t.calendar_id IS DISTINCT FROM nullif(w.calendar_id, 0))
    RETURNING t.id
), created AS (
    INSERT INTO departments (org_id, name, source, release_minute, release_days_before, release_threshold_minutes,
        calendar_id)
    SELECT @org_id, w.name, 'document', w.release_minute, w.days_before, w.threshold, nullif(greatest(w.calendar_id, 0), 0) FROM wanted w
    WHERE NOT EXISTS (SELECT FROM departments t WHERE t.org_id = @org_id AND lower(t.name) = lower(w.name))
    RETURNING id
)
SELECT (SELECT count(*) FROM created)::int AS created, (SELECT count(*) FROM updated)::int AS updated;

-- name: UnknownDepartments :many
SELECT x.name::text AS name FROM (SELECT unnest(@names::text[]) AS name) x
WHERE NOT EXISTS (SELECT FROM departments t WHERE t.org_id = @org_id AND lower(t.name) = lower(x.name));

-- name: ApplyCustomers :one
-- A customer without an external id is identified by its name. A calendar of 0 is none, and one below zero what it was.
WITH given AS (
    SELECT unnest(@external_ids::text[]) AS external_id, unnest(@business_names::text[]) AS business_name,
        unnest(@departments::text[]) AS department, unnest(@email_addresses::text[]) AS email_address,
        unnest(@phone_numbers::text[]) AS phone_number, unnest(@calendar_ids::bigint[]) AS calendar_id
), wanted AS (
    SELECT row_number() OVER () AS n, nullif(g.external_id, '') AS external_id, g.business_name, d.id AS department_id,
        nullif(g.email_address, '') AS email_address, nullif(g.phone_number, '') AS phone_number, g.calendar_id
    FROM given g LEFT JOIN departments d ON d.org_id = @org_id AND lower(d.name) = lower(g.department)
), matched AS (
    SELECT w.n, t.id, w.business_name, w.department_id, w.email_address, w.phone_number,
        CASE WHEN w.calendar_id < 0 THEN t.calendar_id ELSE nullif(w.calendar_id, 0) END AS calendar_id
    FROM wanted w JOIN customers t ON t.org_id = @org_id AND t.external_id = w.external_id
    UNION ALL
    SELECT w.n, t.id, w.business_name, w.department_id, w.email_address, w.phone_number,
        CASE WHEN w.calendar_id < 0 THEN t.calendar_id ELSE nullif(w.calendar_id, 0) END AS calendar_id
    FROM wanted w JOIN customers t ON t.org_id = @org_id AND t.external_id IS NULL
        AND lower(t.business_name) = lower(w.business_name)
    WHERE w.external_id IS NULL
), updated AS (
    UPDATE customers t SET business_name = m.business_name, department_id = m.department_id,
        email_address = m.email_address, phone_number = m.phone_number, calendar_id = m.calendar_id, is_active = true,
        updated_at = now(),
        source = 'document'
    FROM matched m
    WHERE t.org_id = @org_id AND t.id = m.id
      AND (t.business_name, t.department_id, t.email_address, t.phone_number, t.calendar_id, t.is_active, t.source)
        IS DISTINCT FROM (m.business_name, m.department_id, m.email_address, m.phone_number, m.calendar_id, true, 'document')
    RETURNING t.id
), created AS (
    INSERT INTO customers (org_id, external_id, business_name, department_id, email_address, phone_number, calendar_id, source)
    SELECT @org_id, w.external_id, w.business_name, w.department_id, w.email_address, w.phone_number,
        nullif(greatest(w.calendar_id, 0), 0), 'document'
    FROM wanted w
    WHERE NOT EXISTS (SELECT FROM matched m WHERE m.n = w.n)
    RETURNING id
)
SELECT (SELECT count(*) FROM created)::int AS created, (SELECT count(*) FROM updated)::int AS updated;

-- name: ApplyVehicleTypes :many
-- Returns the types that were created or updated. A limit of NaN means none.
WITH wanted AS (
    SELECT x.name, nullif(x.max_weight_kg, 'NaN')::numeric AS max_weight_kg,
        nullif(x.max_volume_m3, 'NaN')::numeric AS max_volume_m3,
        nullif(x.max_route_km, 'NaN')::numeric AS max_route_km, nullif(x.max_stops, 0) AS max_stops,
        nullif(x.max_driving_minutes, 0) AS max_driving_minutes, nullif(x.driving_rule, '') AS driving_rule, x.travels_as,
        nullif(x.max_loads, '')::jsonb AS max_loads, x.extra_setup_seconds,
        nullif(x.height_m, 'NaN')::numeric AS height_m, nullif(x.width_m, 'NaN')::numeric AS width_m,
        nullif(x.length_m, 'NaN')::numeric AS length_m, nullif(x.gross_weight_kg, 'NaN')::numeric AS gross_weight_kg,
        nullif(x.axle_load_kg, 'NaN')::numeric AS axle_load_kg, nullif(x.top_speed_kmh, 'NaN')::numeric AS top_speed_kmh,
        x.hazardous_goods, x.avoids_ferries, x.avoids_tolls, nullif(x.cost_per_shift, 'NaN')::numeric AS cost_per_shift,
        nullif(x.cost_per_hour, 'NaN')::numeric AS cost_per_hour, nullif(x.cost_per_km, 'NaN')::numeric AS cost_per_km
    FROM (SELECT unnest(@names::text[]) AS name, unnest(@max_weights_kg::float8[]) AS max_weight_kg,
        unnest(@max_volumes_m3::float8[]) AS max_volume_m3, unnest(@max_routes_km::float8[]) AS max_route_km,
        unnest(@max_stops::int[]) AS max_stops, unnest(@max_driving_minutes::int[]) AS max_driving_minutes,
        unnest(@driving_rules::text[]) AS driving_rule, unnest(@max_loads::text[]) AS max_loads,
        unnest(@travels_as::text[]) AS travels_as, unnest(@extra_setup_seconds::int[]) AS extra_setup_seconds,
        unnest(@heights_m::float8[]) AS height_m, unnest(@widths_m::float8[]) AS width_m,
        unnest(@lengths_m::float8[]) AS length_m, unnest(@gross_weights_kg::float8[]) AS gross_weight_kg,
        unnest(@axle_loads_kg::float8[]) AS axle_load_kg, unnest(@top_speeds_kmh::float8[]) AS top_speed_kmh,
        unnest(@hazardous_goods::boolean[]) AS hazardous_goods, unnest(@avoids_ferries::boolean[]) AS avoids_ferries,
        unnest(@avoids_tolls::boolean[]) AS avoids_tolls, unnest(@costs_per_shift::float8[]) AS cost_per_shift,
        unnest(@costs_per_hour::float8[]) AS cost_per_hour, unnest(@costs_per_km::float8[]) AS cost_per_km) x
), updated AS (
    UPDATE vehicle_types t SET name = w.name, max_weight_kg = w.max_weight_kg, max_volume_m3 = w.max_volume_m3,
        max_route_km = w.max_route_km, max_stops = w.max_stops, max_driving_minutes = w.max_driving_minutes,
        driving_rule = w.driving_rule, max_loads = w.max_loads, travels_as = w.travels_as,
        extra_setup_seconds = w.extra_setup_seconds, height_m = w.height_m, width_m = w.width_m, length_m = w.length_m,
        gross_weight_kg = w.gross_weight_kg, axle_load_kg = w.axle_load_kg, top_speed_kmh = w.top_speed_kmh,
        hazardous_goods = w.hazardous_goods, avoids_ferries = w.avoids_ferries, avoids_tolls = w.avoids_tolls,
        cost_per_shift = w.cost_per_shift, cost_per_hour = w.cost_per_hour, cost_per_km = w.cost_per_km,
        is_active = true, source = 'document'
    FROM wanted w
    WHERE t.org_id = @org_id AND lower(t.name) = lower(w.name)
      AND (t.name, t.max_weight_kg, t.max_volume_m3, t.max_route_km, t.max_stops, t.max_driving_minutes, t.driving_rule, t.max_loads, t.travels_as,
          t.extra_setup_seconds, t.height_m, t.width_m, t.length_m, t.gross_weight_kg, t.axle_load_kg, t.top_speed_kmh,
          t.hazardous_goods, t.avoids_ferries, t.avoids_tolls, t.cost_per_shift, t.cost_per_hour, t.cost_per_km,
          t.is_active, t.source)
        IS DISTINCT FROM (w.name, w.max_weight_kg, w.max_volume_m3, w.max_route_km, w.max_stops, w.max_driving_minutes, w.driving_rule, w.max_loads, w.travels_as,
          w.extra_setup_seconds, w.height_m, w.width_m, w.length_m, w.gross_weight_kg, w.axle_load_kg, w.top_speed_kmh,
          w.hazardous_goods, w.avoids_ferries, w.avoids_tolls, w.cost_per_shift, w.cost_per_hour, w.cost_per_km,
          true, 'document')
    RETURNING t.id
), created AS (
    INSERT INTO vehicle_types (org_id, name, max_weight_kg, max_volume_m3, max_route_km, max_stops, max_driving_minutes, driving_rule, max_loads, travels_as,
        extra_setup_seconds, height_m, width_m, length_m, gross_weight_kg, axle_load_kg, top_speed_kmh, hazardous_goods, avoids_ferries,
        avoids_tolls, cost_per_shift, cost_per_hour, cost_per_km, source)
    SELECT @org_id, w.name, w.max_weight_kg, w.max_volume_m3, w.max_route_km, w.max_stops, w.max_driving_minutes, w.driving_rule, w.max_loads, w.travels_as,
        w.extra_setup_seconds, w.height_m, w.width_m, w.length_m, w.gross_weight_kg, w.axle_load_kg, w.top_speed_kmh,
        w.hazardous_goods, w.avoids_ferries, w.avoids_tolls, w.cost_per_shift, w.cost_per_hour, w.cost_per_km, 'document'
    FROM wanted w
    WHERE NOT EXISTS (SELECT FROM vehicle_types t WHERE t.org_id = @org_id AND lower(t.name) = lower(w.name))
    RETURNING id
)
SELECT c.id, true AS created FROM created c UNION ALL SELECT u.id, false FROM updated u;

-- name: ApplyOrderTypes :one
-- Minutes below zero mean none.
WITH wanted AS (
    SELECT x.name, x.priority,
        CASE WHEN x.ready_from >= 0 THEN x.ready_from END AS ready_from,
        CASE WHEN x.pick_up_before >= 0 THEN x.pick_up_before END AS pick_up_before,
        CASE WHEN x.deliver_before >= 0 THEN x.deliver_before END AS deliver_before,
        CASE WHEN x.min_book_ahead >= 0 THEN x.min_book_ahead END AS min_book_ahead_minutes,
        CASE WHEN x.max_book_ahead >= 0 THEN x.max_book_ahead END AS max_book_ahead_minutes,
        nullif(x.export_carrier, '') AS export_carrier, nullif(x.proof, '')::jsonb AS proof,
        nullif(x.service_time, '')::jsonb AS service_time
    FROM (SELECT unnest(@names::text[]) AS name, unnest(@priorities::int[]) AS priority,
        unnest(@ready_froms::smallint[]) AS ready_from, unnest(@pick_up_befores::smallint[]) AS pick_up_before,
        unnest(@deliver_befores::smallint[]) AS deliver_before, unnest(@min_book_aheads::int[]) AS min_book_ahead,
        unnest(@max_book_aheads::int[]) AS max_book_ahead, unnest(@export_carriers::text[]) AS export_carrier,
        unnest(@proofs::text[]) AS proof, unnest(@service_times::text[]) AS service_time) x
), updated AS (
    UPDATE order_types t SET name = w.name, priority = w.priority, ready_from = w.ready_from,
        pick_up_before = w.pick_up_before, deliver_before = w.deliver_before,
        min_book_ahead_minutes = w.min_book_ahead_minutes, max_book_ahead_minutes = w.max_book_ahead_minutes,
        export_carrier = w.export_carrier, proof = w.proof, service_time = w.service_time, is_active = true, source = 'document'
    FROM wanted w
    WHERE t.org_id = @org_id AND lower(t.name) = lower(w.name)
      AND (t.name, t.priority, t.ready_from, t.pick_up_before, t.deliver_before, t.min_book_ahead_minutes,
            t.max_book_ahead_minutes, t.export_carrier, t.proof, t.service_time, t.is_active, t.source)
        IS DISTINCT FROM (w.name, w.priority, w.ready_from, w.pick_up_before, w.deliver_before,
            w.min_book_ahead_minutes, w.max_book_ahead_minutes, w.export_carrier, w.proof, w.service_time, true, 'document')
    RETURNING t.id
), created AS (
    INSERT INTO order_types (org_id, name, priority, ready_from, pick_up_before, deliver_before, min_book_ahead_minutes,
        max_book_ahead_minutes, export_carrier, proof, service_time, source)
    SELECT @org_id, w.name, w.priority, w.ready_from, w.pick_up_before, w.deliver_before, w.min_book_ahead_minutes,
        w.max_book_ahead_minutes, w.export_carrier, w.proof, w.service_time, 'document'
    FROM wanted w
    WHERE NOT EXISTS (SELECT FROM order_types t WHERE t.org_id = @org_id AND lower(t.name) = lower(w.name))
    RETURNING id
)
SELECT (SELECT count(*) FROM created)::int AS created, (SELECT count(*) FROM updated)::int AS updated;

-- name: NamedCalendars :many
SELECT k.id, k.name FROM calendars k WHERE k.org_id = @org_id AND k.is_active;

-- name: ApplyCalendars :one
WITH wanted AS (
    SELECT unnest(@names::text[]) AS name, unnest(@closed::text[])::jsonb AS closed
), updated AS (
    UPDATE calendars t SET name = w.name, closed = w.closed, is_active = true, source = 'document' FROM wanted w
    WHERE t.org_id = @org_id AND lower(t.name) = lower(w.name)
      AND (t.name, t.closed, t.is_active, t.source) IS DISTINCT FROM (w.name, w.closed, true, 'document')
    RETURNING t.id
), created AS (
    INSERT INTO calendars (org_id, name, closed, source)
    SELECT @org_id, w.name, w.closed, 'document' FROM wanted w
    WHERE NOT EXISTS (SELECT FROM calendars t WHERE t.org_id = @org_id AND lower(t.name) = lower(w.name))
    RETURNING id
)
SELECT (SELECT count(*) FROM created)::int AS created, (SELECT count(*) FROM updated)::int AS updated;

-- name: ApplySkills :one
WITH wanted AS (
    SELECT unnest(@names::text[]) AS name, unnest(@for_twos::boolean[]) AS for_two
), updated AS (
    UPDATE skills t SET name = w.name, is_active = true, source = 'document', for_two = w.for_two FROM wanted w
    WHERE t.org_id = @org_id AND lower(t.name) = lower(w.name)
      AND (t.name, t.is_active, t.source, t.for_two) IS DISTINCT FROM (w.name, true, 'document', w.for_two)
    RETURNING t.id
), created AS (
    INSERT INTO skills (org_id, name, source, for_two)
    SELECT @org_id, w.name, 'document', w.for_two FROM wanted w
    WHERE NOT EXISTS (SELECT FROM skills t WHERE t.org_id = @org_id AND lower(t.name) = lower(w.name))
    RETURNING id
)
SELECT (SELECT count(*) FROM created)::int AS created, (SELECT count(*) FROM updated)::int AS updated;

-- name: ApplyGroups :one
WITH wanted AS (
    SELECT unnest(@names::text[]) AS name
), updated AS (
    UPDATE order_groups t SET name = w.name, is_active = true, source = 'document' FROM wanted w
    WHERE t.org_id = @org_id AND lower(t.name) = lower(w.name)
      AND (t.name, t.is_active, t.source) IS DISTINCT FROM (w.name, true, 'document')
    RETURNING t.id
), created AS (
    INSERT INTO order_groups (org_id, name, source)
    SELECT @org_id, w.name, 'document' FROM wanted w
    WHERE NOT EXISTS (SELECT FROM order_groups t WHERE t.org_id = @org_id AND lower(t.name) = lower(w.name))
    RETURNING id
)
SELECT (SELECT count(*) FROM created)::int AS created, (SELECT count(*) FROM updated)::int AS updated;

-- name: ApplyCustomFields :one
WITH wanted AS (
    SELECT x.external_id, x.label, x.title, nullif(x.description, '') AS description, nullif(x.icon, '') AS icon,
        nullif(x.color_background, '') AS color_background, nullif(x.color_text, '') AS color_text,
        x.sort_order_batch, x.display_on, x.display_style
    FROM (SELECT unnest(@external_ids::text[]) AS external_id, unnest(@labels::text[]) AS label,
        unnest(@titles::text[]) AS title, unnest(@descriptions::text[]) AS description, unnest(@icons::text[]) AS icon,
        unnest(@color_backgrounds::text[]) AS color_background, unnest(@color_texts::text[]) AS color_text,
        unnest(@sort_order_batches::text[]) AS sort_order_batch, unnest(@display_ons::text[]) AS display_on,
        unnest(@display_styles::text[]) AS display_style) x
), updated AS (
    UPDATE custom_field_definitions t SET label = w.label, title = w.title, description = w.description, icon = w.icon,
        color_background = w.color_background, color_text = w.color_text, sort_order_batch = w.sort_order_batch,
        display_on = w.display_on, display_style = w.display_style, is_active = true, updated_at = now(), source = 'document'
    FROM wanted w
    WHERE t.org_id = @org_id AND t.external_id = w.external_id
      AND (t.label, t.title, t.description, t.icon, t.color_background, t.color_text, t.sort_order_batch, t.display_on,
            t.display_style, t.is_active, t.source)
        IS DISTINCT FROM (w.label, w.title, w.description, w.icon, w.color_background, w.color_text, w.sort_order_batch,
            w.display_on, w.display_style, true, 'document')
    RETURNING t.id
), created AS (
    INSERT INTO custom_field_definitions (org_id, external_id, label, title, description, icon, color_background,
        color_text, sort_order_batch, display_on, display_style, source)
    SELECT @org_id, w.external_id, w.label, w.title, w.description, w.icon, w.color_background, w.color_text,
        w.sort_order_batch, w.display_on, w.display_style, 'document'
    FROM wanted w
    WHERE NOT EXISTS (SELECT FROM custom_field_definitions t WHERE t.org_id = @org_id AND t.external_id = w.external_id)
    RETURNING id
)
SELECT (SELECT count(*) FROM created)::int AS created, (SELECT count(*) FROM updated)::int AS updated;

-- name: ApplyLocations :many
-- Locations without an external id are identified by their match key. Returns
-- those that were created or changed; opening hours below zero mean none, and a curbside below zero what it was. A
-- calendar of 0 is none, and one below zero what it was.
WITH wanted AS (
    SELECT row_number() OVER () AS n, nullif(x.external_id, '') AS external_id, x.match_key, x.name,
        nullif(x.address1, '') AS address1, nullif(x.address2, '') AS address2,
        nullif(x.postal_code, '') AS postal_code, nullif(x.city, '') AS city, nullif(x.state, '') AS state,
        nullif(x.country, '') AS country, nullif(x.latitude, 'NaN') AS latitude,
        nullif(x.longitude, 'NaN') AS longitude,
        CASE WHEN x.opens >= 0 THEN x.opens END AS opens, CASE WHEN x.closes >= 0 THEN x.closes END AS closes,
            x.as_default, nullif(x.service_time, '')::jsonb AS service_time, nullif(x.pauses, '')::jsonb AS pauses,
            CASE WHEN x.curbside >= 0 THEN x.curbside > 0 END AS curbside, x.calendar_id
    FROM (SELECT unnest(@external_ids::text[]) AS external_id, unnest(@match_keys::bytea[]) AS match_key,
        unnest(@names::text[]) AS name, unnest(@address1s::text[]) AS address1, unnest(@address2s::text[]) AS address2,
        unnest(@postal_codes::text[]) AS postal_code, unnest(@cities::text[]) AS city, unnest(@states::text[]) AS state,
        unnest(@countries::text[]) AS country, unnest(@latitudes::float8[]) AS latitude,
        unnest(@longitudes::float8[]) AS longitude, unnest(@opens::smallint[]) AS opens,
        unnest(@closes::smallint[]) AS closes, unnest(@as_defaults::boolean[]) AS as_default,
        unnest(@service_times::text[]) AS service_time, unnest(@pauses::text[]) AS pauses,
        unnest(@curbsides::smallint[]) AS curbside, unnest(@calendar_ids::bigint[]) AS calendar_id) x
), matched AS (
    SELECT w.n, t.id FROM wanted w JOIN locations t ON t.org_id = @org_id AND t.external_id = w.external_id
        AND t.deleted_at IS NULL
    UNION ALL
    SELECT w.n, t.id FROM wanted w
    JOIN locations t ON t.org_id = @org_id AND t.external_id IS NULL AND t.match_key = w.match_key
        AND t.deleted_at IS NULL
    WHERE w.external_id IS NULL
), updated AS (
    UPDATE locations t SET match_key = w.match_key, name = w.name, address1 = w.address1, address2 = w.address2,
        postal_code = w.postal_code, city = w.city, state = w.state, country = w.country, latitude = w.latitude,
        longitude = w.longitude, opens = w.opens, closes = w.closes, use_opening_hours_as_default = w.as_default,
        service_time = coalesce(w.service_time, t.service_time), pauses = coalesce(w.pauses, t.pauses),
        curbside = coalesce(w.curbside, t.curbside),
        calendar_id = CASE WHEN w.calendar_id < 0 THEN t.calendar_id ELSE nullif(w.calendar_id, 0) END, updated_at = now()
    FROM matched m JOIN wanted w ON w.n = m.n
    WHERE t.org_id = @org_id AND t.id = m.id
      AND (t.match_key, t.name, t.address1, t.address2, t.postal_code, t.city, t.state, t.country, t.latitude,
          t.longitude,
            t.opens, t.closes, t.use_opening_hours_as_default, t.service_time, t.pauses,
            t.curbside, t.calendar_id)
        IS DISTINCT FROM (w.match_key, w.name, w.address1, w.address2, w.postal_code, w.city, w.state, w.country,
            w.latitude, w.longitude, w.opens, w.closes, w.as_default, coalesce(w.service_time, t.service_time),
            coalesce(w.pauses, t.pauses), coalesce(w.curbside, t.curbside),
            CASE WHEN w.calendar_id < 0 THEN t.calendar_id ELSE nullif(w.calendar_id, 0) END)
    RETURNING t.id
), created AS (
    INSERT INTO locations (org_id, external_id, match_key, name, address1, address2, postal_code, city, state, country,
        latitude, longitude, opens, closes, use_opening_hours_as_default, service_time, pauses,
        curbside, calendar_id)
    SELECT @org_id, w.external_id, w.match_key, w.name, w.address1, w.address2, w.postal_code, w.city, w.state,
        w.country, w.latitude, w.longitude, w.opens, w.closes, w.as_default, w.service_time, w.pauses,
        coalesce(w.curbside, false), nullif(greatest(w.calendar_id, 0), 0)
    FROM wanted w WHERE NOT EXISTS (SELECT FROM matched m WHERE m.n = w.n)
    RETURNING id
)
SELECT c.id, true::boolean AS created FROM created c
UNION ALL
SELECT u.id, false::boolean AS created FROM updated u;

-- name: ApplyTimeWindows :many
-- Sets exactly these windows of locations, and returns the locations that
-- changed. counts is the number of windows of each location in the flat
-- lists.
WITH wanted AS (
    SELECT row_number() OVER () AS n, nullif(x.external_id, '') AS external_id, x.match_key, x.windows
    FROM (SELECT unnest(@external_ids::text[]) AS external_id, unnest(@match_keys::bytea[]) AS match_key,
        unnest(@counts::int[]) AS windows) x
), placed AS (
    SELECT w.n, w.windows, t.id FROM wanted w JOIN locations t ON t.org_id = @org_id AND t.external_id = w.external_id
        AND t.deleted_at IS NULL
    UNION ALL
    SELECT w.n, w.windows, t.id FROM wanted w
    JOIN locations t ON t.org_id = @org_id AND t.external_id IS NULL AND t.match_key = w.match_key
        AND t.deleted_at IS NULL
    WHERE w.external_id IS NULL
), given AS (
    SELECT unnest(@owners::int[]) AS n, unnest(@seqs::smallint[]) AS seq, unnest(@rrules::text[]) AS rrule,
        unnest(@opens::smallint[]) AS opens, unnest(@closes::smallint[]) AS closes
), removed AS (
    DELETE FROM location_time_windows t USING placed p
    WHERE t.org_id = @org_id AND t.location_id = p.id AND t.seq >= p.windows
    RETURNING t.location_id
), written AS (
    INSERT INTO location_time_windows AS t (org_id, location_id, seq, rrule, opens, closes)
    SELECT @org_id, p.id, g.seq, g.rrule, g.opens, g.closes FROM given g JOIN placed p ON p.n = g.n
    WHERE NOT EXISTS (
        SELECT FROM location_time_windows o
        WHERE o.org_id = @org_id AND o.location_id = p.id AND o.seq = g.seq
          AND (o.rrule, o.opens, o.closes) = (g.rrule, g.opens, g.closes)
    )
    ON CONFLICT (org_id, location_id, seq)
        DO UPDATE SET rrule = excluded.rrule, opens = excluded.opens, closes = excluded.closes
    RETURNING t.location_id
)
SELECT r.location_id FROM removed r UNION SELECT w.location_id FROM written w;

-- name: ApplyMessaging :one
-- The senders of an organization's messages.
WITH written AS (
    INSERT INTO messaging_settings AS t (org_id, email_from, email_name, sms_from, country, smtp_url, sms_account,
        sms_token, sendgrid_key, postmark_login)
    VALUES (@org_id, @email_from, @email_name, @sms_from, @country, @smtp_url, @sms_account, @sms_token, @sendgrid_key,
        @postmark_login)
    ON CONFLICT (org_id) DO UPDATE SET email_from = excluded.email_from, email_name = excluded.email_name,
        sms_from = excluded.sms_from, country = excluded.country, smtp_url = excluded.smtp_url,
        sms_account = excluded.sms_account, sms_token = excluded.sms_token, sendgrid_key = excluded.sendgrid_key,
        postmark_login = excluded.postmark_login
    WHERE t IS DISTINCT FROM excluded
    RETURNING xmax = 0 AS created
)
SELECT count(*) FILTER (WHERE created)::int AS created, count(*) FILTER (WHERE NOT created)::int AS updated
FROM written;

-- name: UnsignedChannels :many
-- The channels with rules but without a sender.
SELECT DISTINCT r.channel FROM notification_rules r LEFT JOIN messaging_settings m ON m.org_id = r.org_id
WHERE r.org_id = @org_id AND r.is_active
  AND coalesce(CASE r.channel WHEN 'EMAIL' THEN m.email_from ELSE m.sms_from END, '') = ''
ORDER BY r.channel;

-- name: ApplyNotificationRules :one
-- Clock times below zero mean none.
WITH wanted AS (
    SELECT x.event, x.channel, x.receiver, x.address, x.subject, x.body, x.body_html,
        CASE WHEN x.window_from >= 0 THEN x.window_from END AS window_from,
        CASE WHEN x.window_to >= 0 THEN x.window_to END AS window_to, x.series, nullif(x.days_ahead, 0) AS days_ahead
    FROM (SELECT unnest(@events::text[]) AS event, unnest(@channels::text[]) AS channel,
        unnest(@receivers::text[]) AS receiver, unnest(@addresses::text[]) AS address,
        unnest(@subjects::text[]) AS subject, unnest(@bodies::text[]) AS body, unnest(@htmls::text[]) AS body_html,
        unnest(@window_froms::smallint[]) AS window_from, unnest(@window_tos::smallint[]) AS window_to,
        unnest(@serieses::text[]) AS series, unnest(@days_aheads::smallint[]) AS days_ahead) x
), updated AS (
    UPDATE notification_rules t SET subject = w.subject, body = w.body, body_html = w.body_html,
        window_from = w.window_from, window_to = w.window_to, series = w.series, days_ahead = w.days_ahead,
        is_active = true, source = 'document'
    FROM wanted w
    WHERE t.org_id = @org_id
        AND (t.event, t.channel, t.receiver, t.address) = (w.event, w.channel, w.receiver, w.address)
      AND (t.subject, t.body, t.body_html, t.window_from, t.window_to, t.series, t.days_ahead, t.is_active, t.source)
        IS DISTINCT FROM (w.subject, w.body, w.body_html, w.window_from, w.window_to, w.series, w.days_ahead, true, 'document')
    RETURNING t.id
), created AS (
    INSERT INTO notification_rules (org_id, event, channel, receiver, address, subject, body, body_html, window_from,
        window_to, series, days_ahead, source)
    SELECT @org_id, w.event, w.channel, w.receiver, w.address, w.subject, w.body, w.body_html, w.window_from,
        w.window_to, w.series, w.days_ahead, 'document'
    FROM wanted w
    WHERE NOT EXISTS (SELECT FROM notification_rules t
        WHERE t.org_id = @org_id
            AND (t.event, t.channel, t.receiver, t.address) = (w.event, w.channel, w.receiver, w.address))
    RETURNING id
)
SELECT (SELECT count(*) FROM created)::int AS created, (SELECT count(*) FROM updated)::int AS updated;

-- name: Suspend :execrows
-- Suspends or resumes the organization, unless it is so already.
UPDATE organizations SET suspended_at = CASE WHEN @suspended::boolean THEN clock_timestamp() END
WHERE id = @org_id AND (suspended_at IS NOT NULL) <> @suspended::boolean;

-- name: IsSuspended :one
SELECT is_suspended(@org_id)::boolean AS is_suspended;
