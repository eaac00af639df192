-- name: ReadOrder :one
SELECT (base || order_relations(o, @loads::text[]) || order_custom_field_values(o.org_id, o.id, @loads::text[])
    || order_parties(o.org_id, o.id, @loads::text[]) || order_planning(o.org_id, o.id, @loads::text[]))::jsonb AS document,
    o.updated_at
FROM v1_orders o WHERE o.org_id = @org_id AND o.id = @id;

-- name: ReadOrderBare :one
-- An order without relations, the most common request.
SELECT base::jsonb AS document, o.updated_at FROM v1_orders o WHERE o.org_id = @org_id AND o.id = @id;

-- name: OrderIDByNumber :one
SELECT order_id::bigint AS order_id FROM order_numbers
WHERE org_id = @org_id AND number = @number AND order_id IS NOT NULL;

-- name: OrderNumber :one
-- The number that an order was imported by.
SELECT number FROM orders WHERE org_id = @org_id AND id = @id;

-- name: ListOrders :many
-- Orders of a range of days that match the filters, oldest day first, after the
-- given position. A null filter matches everything.
SELECT o.date, o.id, (base || order_relations(o, @loads::text[])
    || order_custom_field_values(o.org_id, o.id, @loads::text[])
    || order_parties(o.org_id, o.id, @loads::text[]) || order_planning(o.org_id, o.id, @loads::text[]))::jsonb AS document
FROM v1_orders o
WHERE o.org_id = @org_id AND o.date BETWEEN @start_date::date AND @end_date::date
  AND (o.date, o.id) > (@after_date::date, @after_id::bigint)
  AND (sqlc.narg('order_ids')::bigint[] IS NULL OR o.id = ANY (sqlc.narg('order_ids')::bigint[]))
  AND (sqlc.narg('customer_ids')::bigint[] IS NULL OR o.customer_id = ANY (sqlc.narg('customer_ids')::bigint[]))
  AND (sqlc.narg('business_ids')::bigint[] IS NULL OR o.org_id = ANY (sqlc.narg('business_ids')::bigint[]))
  AND (sqlc.narg('driver_ids')::bigint[] IS NULL OR o.driver_id = ANY (sqlc.narg('driver_ids')::bigint[]))
  AND (sqlc.narg('status_ids')::bigint[] IS NULL OR o.status_id = ANY (sqlc.narg('status_ids')::bigint[]))
  AND (sqlc.narg('department_ids')::bigint[] IS NULL OR o.department_id = ANY (sqlc.narg('department_ids')::bigint[]))
  AND (sqlc.narg('order_type_ids')::bigint[] IS NULL OR o.order_type_id = ANY (sqlc.narg('order_type_ids')::bigint[]))
  AND (sqlc.narg('vehicle_type_ids')::bigint[] IS NULL
      OR o.vehicle_type_id = ANY (sqlc.narg('vehicle_type_ids')::bigint[]))
  AND (sqlc.narg('serial_codes')::text[] IS NULL OR 'WB-' || o.serial = ANY (sqlc.narg('serial_codes')::text[]))
  AND (sqlc.narg('numbers')::text[] IS NULL OR o.id IN (
      SELECT n.order_id FROM order_numbers n WHERE n.org_id = @org_id
          AND n.number = ANY (sqlc.narg('numbers')::text[])))
ORDER BY o.date, o.id
LIMIT @page_size::int;

-- name: CountOrders :one
-- Counts no further than most.
SELECT count(*) FROM (
    SELECT FROM orders
    WHERE org_id = @org_id AND date BETWEEN @start_date::date AND @end_date::date
      AND (@status_id::smallint = 0 OR status_id = @status_id::smallint)
    LIMIT @most::int
) counted;

-- name: OrdersWithText :many
-- Orders that match a term in one field (number, serial, reference, shipment or
-- location), or in any field if it is all. An order may occur twice. The number
-- of rows is bounded by about most.
SELECT n.order_id::bigint AS id FROM order_numbers n
WHERE @field::text IN ('number', 'all') AND n.org_id = @org_id AND n.number = @term::text AND n.order_id IS NOT NULL
UNION ALL
SELECT o.id FROM orders o
WHERE @field::text IN ('serial', 'all') AND o.org_id = @org_id AND o.serial = sqlc.narg('serial')::bigint
UNION ALL
SELECT o.id FROM orders o
WHERE @field::text IN ('id', 'all') AND o.org_id = @org_id AND o.id = sqlc.narg('order_id')::bigint
UNION ALL
SELECT f.id FROM find_orders_by_text('reference', @term, @most::int) AS f (id)
WHERE @alike::boolean AND @field::text IN ('reference', 'all')
UNION ALL
SELECT f.id FROM find_orders_by_text('shipment', @term, @most::int) AS f (id)
WHERE @alike::boolean AND @field::text IN ('shipment', 'all')
UNION ALL
(SELECT s.order_id FROM find_places(@term, @most::int) AS f
CROSS JOIN LATERAL (SELECT x.order_id FROM order_stops x
    WHERE x.org_id = @org_id AND x.location_id = f.location_id AND x.name = f.name OFFSET 0) s
WHERE @alike::boolean AND @field::text IN ('location', 'all')
LIMIT 2 * @most::int);

-- name: SearchOrders :many
-- Those of some orders, or of the newest ones, that match all the given terms;
-- null terms are ignored. Text is searched in every field that has its own
-- term.
WITH looked_at AS MATERIALIZED (
    SELECT DISTINCT k.id FROM unnest(@ids::bigint[]) AS k (id)
    UNION
    (SELECT n.id FROM orders n WHERE n.org_id = @org_id AND @newest::int > 0
        ORDER BY n.date DESC, n.id DESC LIMIT @newest::int)
), page AS MATERIALIZED (
    SELECT count(*) OVER () AS total, o.date, o.id
    FROM looked_at k CROSS JOIN LATERAL (SELECT * FROM orders x WHERE x.org_id = @org_id AND x.id = k.id OFFSET 0) o
    WHERE (sqlc.narg('order_id')::bigint IS NULL OR o.id = sqlc.narg('order_id')::bigint)
      AND (sqlc.narg('serial')::bigint IS NULL OR o.serial = sqlc.narg('serial')::bigint)
      AND (sqlc.narg('number')::text IS NULL OR o.id = (
          SELECT n.order_id FROM order_numbers n WHERE n.org_id = @org_id AND n.number = sqlc.narg('number')::text))
      AND (sqlc.narg('reference')::text IS NULL
          OR strpos(lower(o.reference), lower(sqlc.narg('reference')::text)) > 0)
      AND (sqlc.narg('shipment_id')::text IS NULL
          OR strpos(lower(o.internal_freight_number), lower(sqlc.narg('shipment_id')::text)) > 0
          OR EXISTS (SELECT FROM export_acknowledgements a WHERE a.org_id = @org_id AND a.order_id = o.id
              AND a.status = 'EXPORTED'
              AND strpos(lower(a.carrier_shipment_id), lower(sqlc.narg('shipment_id')::text)) > 0))
      AND (sqlc.narg('location_name')::text IS NULL OR EXISTS (
          SELECT FROM order_stops s WHERE s.org_id = @org_id AND s.order_id = o.id
            AND strpos(lower(s.name), lower(sqlc.narg('location_name')::text)) > 0))
      AND (sqlc.narg('free_text')::text IS NULL
          OR o.id = sqlc.narg('text_order_id')::bigint OR o.serial = sqlc.narg('text_serial')::bigint
          OR strpos(lower(o.reference), lower(sqlc.narg('free_text')::text)) > 0
          OR strpos(lower(o.internal_freight_number), lower(sqlc.narg('free_text')::text)) > 0
          OR EXISTS (SELECT FROM order_numbers n WHERE n.org_id = @org_id
              AND n.number = sqlc.narg('free_text')::text AND n.order_id = o.id)
          OR EXISTS (SELECT FROM order_stops s WHERE s.org_id = @org_id AND s.order_id = o.id
              AND strpos(lower(s.name), lower(sqlc.narg('free_text')::text)) > 0)
          OR EXISTS (SELECT FROM export_acknowledgements a WHERE a.org_id = @org_id AND a.order_id = o.id
              AND a.status = 'EXPORTED'
              AND strpos(lower(a.carrier_shipment_id), lower(sqlc.narg('free_text')::text)) > 0))
    ORDER BY o.date DESC, o.id DESC
    LIMIT @page_size::int OFFSET @skip::int
)
SELECT p.total, o.base::jsonb AS document
FROM page p CROSS JOIN LATERAL (SELECT v.base FROM v1_orders v WHERE v.org_id = @org_id AND v.id = p.id OFFSET 0) o
ORDER BY p.date DESC, p.id DESC;

-- name: SearchNewestOrders :many
-- A page of the newest orders that match all the given terms, like
-- SearchOrders. It doesn't count, so it reads no further than the page.
WITH page AS MATERIALIZED (
    SELECT k.date, k.id
    FROM (SELECT n.id, n.date FROM orders n WHERE n.org_id = @org_id
        ORDER BY n.date DESC, n.id DESC LIMIT @newest::int) k
    CROSS JOIN LATERAL (SELECT * FROM orders x WHERE x.org_id = @org_id AND x.id = k.id OFFSET 0) o
    WHERE (sqlc.narg('order_id')::bigint IS NULL OR o.id = sqlc.narg('order_id')::bigint)
      AND (sqlc.narg('serial')::bigint IS NULL OR o.serial = sqlc.narg('serial')::bigint)
      AND (sqlc.narg('number')::text IS NULL OR o.id = (
          SELECT n.order_id FROM order_numbers n WHERE n.org_id = @org_id AND n.number = sqlc.narg('number')::text))
      AND (sqlc.narg('reference')::text IS NULL
          OR strpos(lower(o.reference), lower(sqlc.narg('reference')::text)) > 0)
      AND (sqlc.narg('shipment_id')::text IS NULL
          OR strpos(lower(o.internal_freight_number), lower(sqlc.narg('shipment_id')::text)) > 0
          OR EXISTS (SELECT FROM export_acknowledgements a WHERE a.org_id = @org_id AND a.order_id = o.id
              AND a.status = 'EXPORTED'
              AND strpos(lower(a.carrier_shipment_id), lower(sqlc.narg('shipment_id')::text)) > 0))
      AND (sqlc.narg('location_name')::text IS NULL OR EXISTS (
          SELECT FROM order_stops s WHERE s.org_id = @org_id AND s.order_id = o.id
            AND strpos(lower(s.name), lower(sqlc.narg('location_name')::text)) > 0))
      AND (sqlc.narg('free_text')::text IS NULL
          OR o.id = sqlc.narg('text_order_id')::bigint OR o.serial = sqlc.narg('text_serial')::bigint
          OR strpos(lower(o.reference), lower(sqlc.narg('free_text')::text)) > 0
          OR strpos(lower(o.internal_freight_number), lower(sqlc.narg('free_text')::text)) > 0
          OR EXISTS (SELECT FROM order_numbers n WHERE n.org_id = @org_id
              AND n.number = sqlc.narg('free_text')::text AND n.order_id = o.id)
          OR EXISTS (SELECT FROM order_stops s WHERE s.org_id = @org_id AND s.order_id = o.id
              AND strpos(lower(s.name), lower(sqlc.narg('free_text')::text)) > 0)
          OR EXISTS (SELECT FROM export_acknowledgements a WHERE a.org_id = @org_id AND a.order_id = o.id
              AND a.status = 'EXPORTED'
              AND strpos(lower(a.carrier_shipment_id), lower(sqlc.narg('free_text')::text)) > 0))
    ORDER BY k.date DESC, k.id DESC
    LIMIT @page_size::int OFFSET @skip::int
)
SELECT o.base::jsonb AS document
FROM page p CROSS JOIN LATERAL (SELECT v.base FROM v1_orders v WHERE v.org_id = @org_id AND v.id = p.id OFFSET 0) o
ORDER BY p.date DESC, p.id DESC;

-- name: OrdersOfGroups :many
-- Orders that are in one of some groups, not many more than most.
SELECT m.order_id FROM order_group_members m
WHERE m.org_id = @org_id AND m.group_id = ANY (@group_ids::bigint[])
LIMIT @most::int;

-- name: CountPaged :one
-- How many orders pass the filters, counted no further than most.
SELECT count(*) FROM (
    SELECT FROM orders o
    WHERE o.org_id = @org_id AND o.status_id = ANY (@status_ids::bigint[])
      AND o.date BETWEEN @start_date::date AND @end_date::date
      AND (sqlc.narg('order_type_ids')::bigint[] IS NULL
          OR o.order_type_id = ANY (sqlc.narg('order_type_ids')::bigint[]))
      AND (sqlc.narg('driver_ids')::bigint[] IS NULL OR o.driver_id = ANY (sqlc.narg('driver_ids')::bigint[]))
      AND (sqlc.narg('routes')::text[] IS NULL OR o.route_number = ANY (sqlc.narg('routes')::text[]))
      AND (sqlc.narg('order_ids')::bigint[] IS NULL OR o.id = ANY (sqlc.narg('order_ids')::bigint[]))
      AND (sqlc.narg('group_ids')::bigint[] IS NULL OR EXISTS (
          SELECT FROM order_group_members m WHERE m.org_id = @org_id AND m.order_id = o.id
            AND m.group_id = ANY (sqlc.narg('group_ids')::bigint[])))
    LIMIT @most::int
) counted;

-- name: PageOrders :many
-- The orders that match the filters, read along the index of the sort order:
-- with many matches, a page is found quickly.
SELECT o.base::jsonb AS document
FROM (
    SELECT o.id, o.date, o.created_at, o.updated_at FROM orders o
    WHERE o.org_id = @org_id AND o.status_id = ANY (@status_ids::bigint[])
      AND o.date BETWEEN @start_date::date AND @end_date::date
      AND (sqlc.narg('order_type_ids')::bigint[] IS NULL
          OR o.order_type_id = ANY (sqlc.narg('order_type_ids')::bigint[]))
      AND (sqlc.narg('driver_ids')::bigint[] IS NULL OR o.driver_id = ANY (sqlc.narg('driver_ids')::bigint[]))
      AND (sqlc.narg('routes')::text[] IS NULL OR o.route_number = ANY (sqlc.narg('routes')::text[]))
      AND (sqlc.narg('order_ids')::bigint[] IS NULL OR o.id = ANY (sqlc.narg('order_ids')::bigint[]))
      AND (sqlc.narg('group_ids')::bigint[] IS NULL OR EXISTS (
          SELECT FROM order_group_members m WHERE m.org_id = @org_id AND m.order_id = o.id
            AND m.group_id = ANY (sqlc.narg('group_ids')::bigint[])))
    ORDER BY
        CASE WHEN @sort_by::text = 'date' THEN o.date END,
        CASE WHEN @sort_by::text = '-date' THEN o.date END DESC,
        CASE WHEN @sort_by::text = 'created_at' THEN o.created_at END,
        CASE WHEN @sort_by::text = '-created_at' THEN o.created_at END DESC,
        CASE WHEN @sort_by::text = 'updated_at' THEN o.updated_hour END,
        CASE WHEN @sort_by::text = 'updated_at' THEN o.updated_at END,
        CASE WHEN @sort_by::text = '-updated_at' THEN o.updated_hour END DESC,
        CASE WHEN @sort_by::text = '-updated_at' THEN o.updated_at END DESC,
        CASE WHEN @sort_by::text = '-order_id' THEN o.id END DESC,
        o.id
    LIMIT @page_size::int OFFSET @skip::int
) p CROSS JOIN LATERAL (SELECT v.base FROM v1_orders v WHERE v.org_id = @org_id AND v.id = p.id OFFSET 0) o
ORDER BY
    CASE WHEN @sort_by::text = 'date' THEN p.date END,
    CASE WHEN @sort_by::text = '-date' THEN p.date END DESC,
    CASE WHEN @sort_by::text = 'created_at' THEN p.created_at END,
    CASE WHEN @sort_by::text = '-created_at' THEN p.created_at END DESC,
    CASE WHEN @sort_by::text = 'updated_at' THEN p.updated_at END,
    CASE WHEN @sort_by::text = '-updated_at' THEN p.updated_at END DESC,
    CASE WHEN @sort_by::text = '-order_id' THEN p.id END DESC,
    p.id;

-- name: PageFewOrders :many
-- The same for filters that few orders pass: all of them are gathered, and sorted
-- then, because a walk along an index could find them late.
WITH passing AS MATERIALIZED (
    SELECT o.id, o.date, o.created_at, o.updated_at FROM orders o
    WHERE o.org_id = @org_id AND o.status_id = ANY (@status_ids::bigint[])
      AND o.date BETWEEN @start_date::date AND @end_date::date
      AND (sqlc.narg('order_type_ids')::bigint[] IS NULL
          OR o.order_type_id = ANY (sqlc.narg('order_type_ids')::bigint[]))
      AND (sqlc.narg('driver_ids')::bigint[] IS NULL OR o.driver_id = ANY (sqlc.narg('driver_ids')::bigint[]))
      AND (sqlc.narg('routes')::text[] IS NULL OR o.route_number = ANY (sqlc.narg('routes')::text[]))
      AND (sqlc.narg('order_ids')::bigint[] IS NULL OR o.id = ANY (sqlc.narg('order_ids')::bigint[]))
      AND (sqlc.narg('group_ids')::bigint[] IS NULL OR EXISTS (
          SELECT FROM order_group_members m WHERE m.org_id = @org_id AND m.order_id = o.id
            AND m.group_id = ANY (sqlc.narg('group_ids')::bigint[])))
), page AS MATERIALIZED (
    SELECT row_number() OVER (ORDER BY
        CASE WHEN @sort_by::text = 'date' THEN p.date END,
        CASE WHEN @sort_by::text = '-date' THEN p.date END DESC,
        CASE WHEN @sort_by::text = 'created_at' THEN p.created_at END,
        CASE WHEN @sort_by::text = '-created_at' THEN p.created_at END DESC,
        CASE WHEN @sort_by::text = 'updated_at' THEN p.updated_at END,
        CASE WHEN @sort_by::text = '-updated_at' THEN p.updated_at END DESC,
        CASE WHEN @sort_by::text = '-order_id' THEN p.id END DESC,
        p.id) AS place, p.id
    FROM passing p
    ORDER BY place LIMIT @page_size::int OFFSET @skip::int
)
SELECT o.base::jsonb AS document
FROM page p CROSS JOIN LATERAL (SELECT v.base FROM v1_orders v WHERE v.org_id = @org_id AND v.id = p.id OFFSET 0) o
ORDER BY p.place;

-- name: OrderProducts :one
-- The products of an order as one list; null for an unknown order.
SELECT order_products_document(o.org_id, o.id, '{}')::jsonb AS document
FROM orders o WHERE o.org_id = @org_id AND o.id = @order_id;

-- name: OrderProduct :one
SELECT d.base::jsonb AS document FROM order_product_documents d
WHERE d.org_id = @org_id AND d.order_id = @order_id AND d.id = @order_product_id;

-- name: OrderSeconds :one
-- The seconds that an order takes by its last plan; before that, those on its stops.
SELECT coalesce(o.planned_seconds, 60 * coalesce(sum(s.estimated_time_on_location), 0))::bigint AS seconds
FROM orders o JOIN order_stops s ON s.org_id = o.org_id AND s.order_id = o.id
WHERE o.org_id = @org_id AND o.id = @order_id
GROUP BY o.org_id, o.id;

-- name: OrderSkills :many
-- The skills of an order, and what requires each.
SELECT k.name AS skill_name, x.type, x.source::text AS source, x.source_id, x.source_name
FROM (
    SELECT ss.skill_id, ss.type, upper(s.kind) AS source, s.id AS source_id, s.name AS source_name
    FROM order_stops s JOIN stop_skills ss ON ss.org_id = s.org_id AND ss.stop_id = s.id
    WHERE s.org_id = @org_id AND s.order_id = @order_id
    UNION ALL
    SELECT ps.skill_id, ps.type, 'PRODUCT', p.id, p.name
    FROM order_products p JOIN order_product_skills ps ON ps.org_id = p.org_id AND ps.order_product_id = p.id
    WHERE p.org_id = @org_id AND p.order_id = @order_id
) x JOIN skills k ON k.org_id = @org_id AND k.id = x.skill_id
ORDER BY k.name, x.source, x.source_id;

-- name: OrderDriverLock :one
-- The driver to whom an order is locked.
SELECT l.driver_id, d.name AS driver_name
FROM order_driver_locks l JOIN drivers d ON d.org_id = l.org_id AND d.id = l.driver_id
WHERE l.org_id = @org_id AND l.order_id = @order_id;

-- name: OrderExists :one
SELECT EXISTS (SELECT FROM orders WHERE org_id = @org_id AND id = @id) AS found;

-- name: FindOrderType :one
-- An order type by its name, ignoring case.
SELECT id, name, priority, coalesce(ready_from, '')::text AS ready_from,
    coalesce(pick_up_before, '')::text AS pick_up_before, coalesce(deliver_before, '')::text AS deliver_before,
    is_active, min_book_ahead_minutes, max_book_ahead_minutes
FROM v2_order_types WHERE org_id = @org_id AND lower(name) = lower(@name::text);

-- name: OrdersWithWords :many
-- Orders that match a text by its words or by their reference. An order may
-- occur twice. The number of rows is bounded by about most.
SELECT f.id::bigint AS id FROM find_orders_by_words(@term::text, @most::int) AS f (id)
UNION ALL
SELECT r.id FROM find_orders_by_text('reference', @term, @most::int) AS r (id) WHERE @alike::boolean;

-- name: NearestOrdersWithWords :many
-- The same among the orders nearest to a day, and which of them have the term
-- as a whole word.
SELECT a.id, (strpos(t.text, ' ' || compact_text(@term::text) || ' ') > 0)::boolean AS whole
FROM (
    SELECT n.id FROM (
        (SELECT x.id, x.date FROM orders x WHERE x.org_id = @org_id AND x.date > @today::date
            ORDER BY x.date, x.id LIMIT @nearest::int)
        UNION ALL
        (SELECT x.id, x.date FROM orders x WHERE x.org_id = @org_id AND x.date <= @today::date
            ORDER BY x.date DESC, x.id DESC LIMIT @nearest::int)
    ) n
    ORDER BY abs(n.date - @today::date), n.id DESC LIMIT @nearest::int
) a
CROSS JOIN LATERAL (SELECT * FROM orders x WHERE x.org_id = @org_id AND x.id = a.id OFFSET 0) o
CROSS JOIN LATERAL (SELECT * FROM order_texts x WHERE x.org_id = @org_id AND x.order_id = a.id OFFSET 0) t
WHERE compact_text(@term::text) ~ '[[:alnum:]]{3}'
  AND (t.text LIKE ALL (word_patterns(@term::text)) OR t.text LIKE '%' || compact_text(@term::text) || '%'
      OR strpos(lower(o.reference), lower(@term::text)) > 0);

-- name: OrdersWithWord :many
-- Orders that have a term as a whole word or as their serial code, not many more than most.
SELECT f.id::bigint AS id FROM find_orders_by_word(@term::text, @most::int) AS f (id)
UNION ALL
SELECT o.id FROM orders o WHERE o.org_id = @org_id AND o.serial = sqlc.narg('serial')::bigint;

-- name: RankOrders :many
-- Some orders, those with the term as a word first, then those nearest to a day.
SELECT o.id FROM (SELECT DISTINCT unnest(@ids::bigint[]) AS id) k
CROSS JOIN LATERAL (SELECT x.id, x.date FROM orders x WHERE x.org_id = @org_id AND x.id = k.id OFFSET 0) o
LEFT JOIN LATERAL (SELECT * FROM order_texts x WHERE x.org_id = @org_id AND x.order_id = k.id OFFSET 0) t ON true
ORDER BY coalesce(strpos(t.text, ' ' || compact_text(@term::text) || ' '), 0) = 0, abs(o.date - @today::date), o.id DESC
LIMIT @most::int;
