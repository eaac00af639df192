-- The sections of a document that refer to each other by name: intervals and
-- price lists refer to order types, zones and freight levels. Names are
-- resolved to ids before, so that unknown ones can be reported with their
-- line.

-- name: NamedForScheduling :many
-- All that these sections may speak of, or are matched by.
SELECT 'orderType'::text AS kind, t.id, t.name FROM order_types t WHERE t.org_id = @org_id AND t.is_active
UNION ALL SELECT 'zone', z.id, z.name FROM zones z WHERE z.org_id = @org_id AND z.is_active
UNION ALL SELECT 'freightLevel', l.id, l.name FROM freight_levels l WHERE l.org_id = @org_id AND l.is_active
UNION ALL SELECT 'interval', i.id, i.name FROM schedule_intervals i WHERE i.org_id = @org_id AND i.is_active
UNION ALL SELECT 'priceList', p.id, p.name FROM price_lists p WHERE p.org_id = @org_id AND p.is_active;

-- name: ApplyZones :one
WITH wanted AS (
    SELECT unnest(@names::text[]) AS name, unnest(@areas::text[])::jsonb AS areas
), updated AS (
    UPDATE zones t SET name = w.name, areas = w.areas, is_active = true, source = 'document' FROM wanted w
    WHERE t.org_id = @org_id AND lower(t.name) = lower(w.name)
      AND (t.name, t.areas, t.is_active, t.source) IS DISTINCT FROM (w.name, w.areas, true, 'document')
    RETURNING t.id
), created AS (
    INSERT INTO zones (org_id, name, areas, source)
    SELECT @org_id, w.name, w.areas, 'document' FROM wanted w
    WHERE NOT EXISTS (SELECT FROM zones t WHERE t.org_id = @org_id AND lower(t.name) = lower(w.name))
    RETURNING id
)
SELECT (SELECT count(*) FROM created)::int AS created, (SELECT count(*) FROM updated)::int AS updated;

-- name: ApplyFreightLevels :one
-- A bound that is empty or below zero means none.
WITH wanted AS (
    SELECT x.name, x.seq, nullif(x.max_weight_kg, '')::numeric AS max_weight_kg,
        nullif(x.max_volume_m3, '')::numeric AS max_volume_m3,
        CASE WHEN x.max_colli >= 0 THEN x.max_colli END AS max_colli
    FROM (SELECT unnest(@names::text[]) AS name, unnest(@seqs::int[]) AS seq,
        unnest(@max_weights_kg::text[]) AS max_weight_kg, unnest(@max_volumes_m3::text[]) AS max_volume_m3,
        unnest(@max_collis::int[]) AS max_colli) x
), updated AS (
    UPDATE freight_levels t SET name = w.name, seq = w.seq, max_weight_kg = w.max_weight_kg,
        max_volume_m3 = w.max_volume_m3, max_colli = w.max_colli, is_active = true, source = 'document'
    FROM wanted w
    WHERE t.org_id = @org_id AND lower(t.name) = lower(w.name)
      AND (t.name, t.seq, t.max_weight_kg, t.max_volume_m3, t.max_colli, t.is_active, t.source)
        IS DISTINCT FROM (w.name, w.seq, w.max_weight_kg, w.max_volume_m3, w.max_colli, true, 'document')
    RETURNING t.id
), created AS (
    INSERT INTO freight_levels (org_id, name, seq, max_weight_kg, max_volume_m3, max_colli, source)
    SELECT @org_id, w.name, w.seq, w.max_weight_kg, w.max_volume_m3, w.max_colli, 'document'
    FROM wanted w
    WHERE NOT EXISTS (SELECT FROM freight_levels t WHERE t.org_id = @org_id AND lower(t.name) = lower(w.name))
    RETURNING id
)
SELECT (SELECT count(*) FROM created)::int AS created, (SELECT count(*) FROM updated)::int AS updated;

-- name: ApplyIntervals :many
-- Returns the ids of the intervals that were created or updated. An empty rule
-- or day means none.
WITH wanted AS (
    SELECT x.name, nullif(x.rrule, '') AS rrule, nullif(x.day, '')::date AS day, x.pickup_earliest, x.pickup_latest,
        x.delivery_earliest, x.delivery_latest, x.slots
    FROM (SELECT unnest(@names::text[]) AS name, unnest(@rrules::text[]) AS rrule, unnest(@days::text[]) AS day,
        unnest(@pickup_earliests::smallint[]) AS pickup_earliest, unnest(@pickup_latests::smallint[]) AS pickup_latest,
        unnest(@delivery_earliests::smallint[]) AS delivery_earliest,
        unnest(@delivery_latests::smallint[]) AS delivery_latest, unnest(@slots::int[]) AS slots) x
), updated AS (
    UPDATE schedule_intervals t SET name = w.name, rrule = w.rrule, day = w.day, pickup_earliest = w.pickup_earliest,
        pickup_latest = w.pickup_latest, delivery_earliest = w.delivery_earliest, delivery_latest = w.delivery_latest,
        slots = w.slots, is_active = true, source = 'document'
    FROM wanted w
    WHERE t.org_id = @org_id AND lower(t.name) = lower(w.name)
      AND (t.name, t.rrule, t.day, t.pickup_earliest, t.pickup_latest, t.delivery_earliest, t.delivery_latest, t.slots,
          t.is_active, t.source)
        IS DISTINCT FROM (w.name, w.rrule, w.day, w.pickup_earliest, w.pickup_latest, w.delivery_earliest,
            w.delivery_latest, w.slots, true, 'document')
    RETURNING t.id
), created AS (
    INSERT INTO schedule_intervals (org_id, name, rrule, day, pickup_earliest, pickup_latest, delivery_earliest,
        delivery_latest, slots, source)
    SELECT @org_id, w.name, w.rrule, w.day, w.pickup_earliest, w.pickup_latest, w.delivery_earliest, w.delivery_latest,
        w.slots, 'document'
    FROM wanted w
    WHERE NOT EXISTS (SELECT FROM schedule_intervals t WHERE t.org_id = @org_id AND lower(t.name) = lower(w.name))
    RETURNING id
)
SELECT c.id, true AS created FROM created c UNION ALL SELECT u.id, false FROM updated u;

-- name: ApplyIntervalOrderTypes :many
-- Sets the order types of these intervals, and returns the intervals that
-- changed.
WITH wanted AS (
    SELECT unnest(@interval_ids::bigint[]) AS interval_id, unnest(@order_type_ids::bigint[]) AS order_type_id
), removed AS (
    DELETE FROM schedule_interval_order_types t
    WHERE t.org_id = @org_id AND t.interval_id = ANY (@all_ids::bigint[])
      AND NOT EXISTS (SELECT FROM wanted w WHERE (w.interval_id, w.order_type_id) = (t.interval_id, t.order_type_id))
    RETURNING t.interval_id
), added AS (
    INSERT INTO schedule_interval_order_types AS t (org_id, interval_id, order_type_id)
    SELECT DISTINCT @org_id::bigint, w.interval_id, w.order_type_id FROM wanted w
    ON CONFLICT DO NOTHING RETURNING t.interval_id
)
SELECT r.interval_id FROM removed r UNION SELECT a.interval_id FROM added a;

-- name: ApplyIntervalZones :many
WITH wanted AS (
    SELECT unnest(@interval_ids::bigint[]) AS interval_id, unnest(@from_zone_ids::bigint[]) AS from_zone_id,
        unnest(@to_zone_ids::bigint[]) AS to_zone_id
), removed AS (
    DELETE FROM schedule_interval_zones t
    WHERE t.org_id = @org_id AND t.interval_id = ANY (@all_ids::bigint[])
      AND NOT EXISTS (SELECT FROM wanted w
        WHERE (w.interval_id, w.from_zone_id, w.to_zone_id) = (t.interval_id, t.from_zone_id, t.to_zone_id))
    RETURNING t.interval_id
), added AS (
    INSERT INTO schedule_interval_zones AS t (org_id, interval_id, from_zone_id, to_zone_id)
    SELECT DISTINCT @org_id::bigint, w.interval_id, w.from_zone_id, w.to_zone_id FROM wanted w
    ON CONFLICT DO NOTHING RETURNING t.interval_id
)
SELECT r.interval_id FROM removed r UNION SELECT a.interval_id FROM added a;

-- name: ApplyIntervalFreightLevels :many
WITH wanted AS (
    SELECT unnest(@interval_ids::bigint[]) AS interval_id, unnest(@freight_level_ids::bigint[]) AS freight_level_id
), removed AS (
    DELETE FROM schedule_interval_freight_levels t
    WHERE t.org_id = @org_id AND t.interval_id = ANY (@all_ids::bigint[])
      AND NOT EXISTS (SELECT FROM wanted w
          WHERE (w.interval_id, w.freight_level_id) = (t.interval_id, t.freight_level_id))
    RETURNING t.interval_id
), added AS (
    INSERT INTO schedule_interval_freight_levels AS t (org_id, interval_id, freight_level_id)
    SELECT DISTINCT @org_id::bigint, w.interval_id, w.freight_level_id FROM wanted w
    ON CONFLICT DO NOTHING RETURNING t.interval_id
)
SELECT r.interval_id FROM removed r UNION SELECT a.interval_id FROM added a;

-- name: ApplyPriceLists :many
-- Returns the ids of the lists that were created or updated.
WITH wanted AS (
    SELECT x.name, x.seq, x.currency, x.minimum_price::numeric AS minimum_price
    FROM (SELECT unnest(@names::text[]) AS name, unnest(@seqs::int[]) AS seq, unnest(@currencies::text[]) AS currency,
        unnest(@minimum_prices::text[]) AS minimum_price) x
), updated AS (
    UPDATE price_lists t SET name = w.name, seq = w.seq, currency = w.currency, minimum_price = w.minimum_price,
        is_active = true, source = 'document'
    FROM wanted w
    WHERE t.org_id = @org_id AND lower(t.name) = lower(w.name)
      AND (t.name, t.seq, t.currency, t.minimum_price, t.is_active, t.source)
        IS DISTINCT FROM (w.name, w.seq, w.currency, w.minimum_price, true, 'document')
    RETURNING t.id
), created AS (
    INSERT INTO price_lists (org_id, name, seq, currency, minimum_price, source)
    SELECT @org_id, w.name, w.seq, w.currency, w.minimum_price, 'document' FROM wanted w
    WHERE NOT EXISTS (SELECT FROM price_lists t WHERE t.org_id = @org_id AND lower(t.name) = lower(w.name))
    RETURNING id
)
SELECT c.id, true AS created FROM created c UNION ALL SELECT u.id, false FROM updated u;

-- name: ApplyPriceListOrderTypes :many
WITH wanted AS (
    SELECT unnest(@price_list_ids::bigint[]) AS price_list_id, unnest(@order_type_ids::bigint[]) AS order_type_id
), removed AS (
    DELETE FROM price_list_order_types t
    WHERE t.org_id = @org_id AND t.price_list_id = ANY (@all_ids::bigint[])
      AND NOT EXISTS (SELECT FROM wanted w
          WHERE (w.price_list_id, w.order_type_id) = (t.price_list_id, t.order_type_id))
    RETURNING t.price_list_id
), added AS (
    INSERT INTO price_list_order_types AS t (org_id, price_list_id, order_type_id)
    SELECT DISTINCT @org_id::bigint, w.price_list_id, w.order_type_id FROM wanted w
    ON CONFLICT DO NOTHING RETURNING t.price_list_id
)
SELECT r.price_list_id FROM removed r UNION SELECT a.price_list_id FROM added a;

-- name: ApplyPriceListLines :many
-- Saves the lines of price lists by position and deletes those after the last
-- one. Returns the lists that changed. An id of 0 means none.
WITH sizes AS (
    SELECT unnest(@all_ids::bigint[]) AS price_list_id, unnest(@sizes::int[]) AS lines
), wanted AS (
    SELECT x.price_list_id, x.seq, nullif(x.from_zone_id, 0) AS from_zone_id, nullif(x.to_zone_id, 0) AS to_zone_id,
        nullif(x.freight_level_id, 0) AS freight_level_id, x.base::numeric AS base, x.per_kg::numeric AS per_kg,
        x.per_colli::numeric AS per_colli
    FROM (SELECT unnest(@price_list_ids::bigint[]) AS price_list_id, unnest(@seqs::int[]) AS seq,
        unnest(@from_zone_ids::bigint[]) AS from_zone_id, unnest(@to_zone_ids::bigint[]) AS to_zone_id,
        unnest(@freight_level_ids::bigint[]) AS freight_level_id, unnest(@bases::text[]) AS base,
        unnest(@per_kgs::text[]) AS per_kg, unnest(@per_collis::text[]) AS per_colli) x
), removed AS (
    DELETE FROM price_list_lines t USING sizes s
    WHERE t.org_id = @org_id AND t.price_list_id = s.price_list_id AND t.seq >= s.lines
    RETURNING t.price_list_id
), written AS (
    INSERT INTO price_list_lines AS t (org_id, price_list_id, seq, from_zone_id, to_zone_id, freight_level_id, base,
        per_kg, per_colli)
    SELECT @org_id, w.price_list_id, w.seq, w.from_zone_id, w.to_zone_id, w.freight_level_id, w.base, w.per_kg,
        w.per_colli
    FROM wanted w
    WHERE NOT EXISTS (
        SELECT FROM price_list_lines o WHERE o.org_id = @org_id AND o.price_list_id = w.price_list_id AND o.seq = w.seq
          AND (o.from_zone_id, o.to_zone_id, o.freight_level_id, o.base, o.per_kg, o.per_colli)
            IS NOT DISTINCT FROM (w.from_zone_id, w.to_zone_id, w.freight_level_id, w.base, w.per_kg, w.per_colli)
    )
    ON CONFLICT (org_id, price_list_id, seq)
        DO UPDATE SET from_zone_id = excluded.from_zone_id, to_zone_id = excluded.to_zone_id,
        freight_level_id = excluded.freight_level_id, base = excluded.base, per_kg = excluded.per_kg,
        per_colli = excluded.per_colli
    RETURNING t.price_list_id
)
SELECT r.price_list_id FROM removed r UNION SELECT w.price_list_id FROM written w;

-- name: PruneIntervals :one
-- An interval with bookings, past or present, is deactivated instead.
WITH doomed AS (
    SELECT t.id,
        EXISTS (SELECT FROM schedule_interval_days d WHERE d.org_id = t.org_id AND d.interval_id = t.id) AS used
    FROM schedule_intervals t
    WHERE t.org_id = @org_id AND t.source = 'document'
        AND NOT lower(t.name) IN (SELECT lower(k.name) FROM (SELECT unnest(@names::text[]) AS name) k)
)
SELECT prune('schedule_intervals', @org_id, array_agg(d.id) FILTER (WHERE NOT d.used),
    array_agg(d.id) FILTER (WHERE d.used))::bigint AS removed
FROM doomed d;

-- name: PrunePriceLists :execrows
-- Nothing refers to a price list: orders keep the prices that it gave them.
DELETE FROM price_lists t
WHERE t.org_id = @org_id AND t.source = 'document'
    AND NOT lower(t.name) IN (SELECT lower(k.name) FROM (SELECT unnest(@names::text[]) AS name) k);

-- name: PruneZones :one
WITH doomed AS (
    SELECT t.id,
        EXISTS (SELECT FROM schedule_interval_zones z WHERE z.org_id = t.org_id
            AND t.id IN (z.from_zone_id, z.to_zone_id))
        OR EXISTS (SELECT FROM price_list_lines l WHERE l.org_id = t.org_id
            AND t.id IN (l.from_zone_id, l.to_zone_id)) AS used
    FROM zones t
    WHERE t.org_id = @org_id AND t.source = 'document'
        AND NOT lower(t.name) IN (SELECT lower(k.name) FROM (SELECT unnest(@names::text[]) AS name) k)
)
SELECT prune('zones', @org_id, array_agg(d.id) FILTER (WHERE NOT d.used),
    array_agg(d.id) FILTER (WHERE d.used))::bigint AS removed
FROM doomed d;

-- name: PruneFreightLevels :one
WITH doomed AS (
    SELECT t.id,
        EXISTS (SELECT FROM schedule_interval_freight_levels f WHERE f.org_id = t.org_id AND f.freight_level_id = t.id)
        OR EXISTS (SELECT FROM price_list_lines l WHERE l.org_id = t.org_id AND l.freight_level_id = t.id) AS used
    FROM freight_levels t
    WHERE t.org_id = @org_id AND t.source = 'document'
        AND NOT lower(t.name) IN (SELECT lower(k.name) FROM (SELECT unnest(@names::text[]) AS name) k)
)
SELECT prune('freight_levels', @org_id, array_agg(d.id) FILTER (WHERE NOT d.used),
    array_agg(d.id) FILTER (WHERE d.used))::bigint AS removed
FROM doomed d;
