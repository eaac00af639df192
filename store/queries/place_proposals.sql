-- name: ProposeByDriver :exec
-- Keeps where a driver says that a stop is, in place of what was said before: of its address, of its
-- location if that has coordinates, or of the stop itself if the order has.
INSERT INTO place_proposals AS p (org_id, key, source, target, location_id, address1, postal_code, city, country, latitude,
    longitude, accuracy_meters, driver_id, stop_id)
SELECT s.org_id, CASE t.target WHEN 'ADDRESS' THEN decode(s.position ->> 'place', 'hex')
        WHEN 'LOCATION' THEN decode(md5('location ' || l.id), 'hex') ELSE decode(md5('stop ' || s.id), 'hex') END,
    'DRIVER', t.target, CASE WHEN t.target = 'LOCATION' THEN l.id END, coalesce(s.address1, ''), coalesce(s.postal_code, ''),
    coalesce(s.city, ''), coalesce(s.country, ''), @latitude::float8, @longitude::float8,
    nullif(@accuracy::float8, 'NaN'), @driver_id::bigint, s.id
FROM order_stops s
LEFT JOIN locations l ON l.org_id = s.org_id AND l.id = s.location_id AND l.latitude IS NOT NULL AND l.longitude IS NOT NULL
CROSS JOIN LATERAL (SELECT CASE
    WHEN s.latitude IS NOT NULL AND s.longitude IS NOT NULL THEN 'ORDER'
    WHEN l.id IS NOT NULL AND s.position ->> 'source' IS DISTINCT FROM 'PERSON' THEN 'LOCATION'
    WHEN s.position ->> 'place' <> '' THEN 'ADDRESS' END AS target) t
WHERE s.org_id = @org_id AND s.id = @stop_id::bigint AND t.target IS NOT NULL
ON CONFLICT (org_id, key, source) DO UPDATE SET state = 'OPEN', latitude = excluded.latitude,
    longitude = excluded.longitude, accuracy_meters = excluded.accuracy_meters, driver_id = excluded.driver_id,
    stop_id = excluded.stop_id, proposed_at = now(), decided_at = NULL, decided_by = NULL;

-- name: ProposeByArrivals :one
-- Keeps where drivers arrived at the address of a stop, in place of what was learned before.
INSERT INTO place_proposals AS p (org_id, key, source, address1, postal_code, city, country, latitude, longitude,
    arrivals, stop_id)
SELECT s.org_id, decode(s.position ->> 'place', 'hex'), 'ARRIVALS', coalesce(s.address1, ''), coalesce(s.postal_code, ''),
    coalesce(s.city, ''), coalesce(s.country, ''), @latitude::float8, @longitude::float8, @arrivals::bigint, s.id
FROM order_stops s
WHERE s.org_id = @org_id AND s.id = @stop_id::bigint AND s.position ->> 'place' IS NOT NULL
ON CONFLICT (org_id, key, source) DO UPDATE SET state = 'OPEN', latitude = excluded.latitude,
    longitude = excluded.longitude, arrivals = excluded.arrivals, stop_id = excluded.stop_id, proposed_at = now(),
    decided_at = NULL, decided_by = NULL
RETURNING p.id;

-- name: ArrivalsAtStop :one
-- Where drivers arrived at the address of a stop, the latest first, with where the address is
-- taken to be, and what was learned of it before. Inexact positions teach nothing.
SELECT coalesce((s.position ->> 'latitude')::float8, 'NaN')::float8 AS latitude,
    coalesce((s.position ->> 'longitude')::float8, 'NaN')::float8 AS longitude,
    coalesce(s.position ->> 'source', '')::text AS source,
    coalesce(p.latitude, 'NaN')::float8 AS learned_latitude, coalesce(p.longitude, 'NaN')::float8 AS learned_longitude,
    coalesce(a.latitudes, '{}')::float8[] AS latitudes, coalesce(a.longitudes, '{}')::float8[] AS longitudes,
    (SELECT g.accept_arrivals FROM organizations g WHERE g.id = s.org_id)::bool AS accepts
FROM order_stops s
LEFT JOIN place_proposals p ON p.org_id = s.org_id AND p.key = decode(s.position ->> 'place', 'hex') AND p.source = 'ARRIVALS'
LEFT JOIN LATERAL (
    SELECT array_agg(x.latitude ORDER BY x.occurred_at DESC) AS latitudes,
        array_agg(x.longitude ORDER BY x.occurred_at DESC) AS longitudes
    FROM (
        SELECT d.latitude, d.longitude, d.occurred_at
        FROM order_stops o JOIN driver_actions d ON d.org_id = o.org_id AND d.order_id = o.order_id AND d.stop_id = o.id
        WHERE o.org_id = s.org_id AND o.position ->> 'place' = s.position ->> 'place' AND o.position IS NOT NULL
            AND d.type = 'ARRIVE' AND d.outcome = 'APPLIED' AND d.latitude IS NOT NULL AND d.longitude IS NOT NULL
            AND coalesce(d.accuracy_meters, 0) <= @accuracy::float8
        ORDER BY d.occurred_at DESC LIMIT @most::int
    ) x
) a ON true
WHERE s.org_id = @org_id AND s.id = @stop_id AND s.position ->> 'place' IS NOT NULL
    AND (s.latitude IS NULL OR s.longitude IS NULL);

-- name: ListProposals :many
-- Open proposals behind one of them, with where the stop is taken to be, the order of the latest
-- report, and whether accepting corrects something.
SELECT p.id, p.key, p.source, p.target, coalesce(p.location_id, 0)::bigint AS location_id,
    (CASE p.target WHEN 'ADDRESS' THEN true WHEN 'LOCATION' THEN l.deleted_at IS NULL AND l.id IS NOT NULL
        ELSE coalesce(s.latitude IS NOT NULL AND (o.status_id <= 3 OR o.status_id <= 5 AND s.kind = 'delivery'), false)
        END)::bool AS is_correctable,
    p.address1, p.postal_code, p.city, p.country, p.latitude, p.longitude,
    coalesce(p.accuracy_meters, 'NaN')::float8 AS accuracy_meters, p.arrivals, coalesce(p.driver_id, 0)::bigint AS driver_id,
    coalesce(d.name, '')::text AS driver_name, p.proposed_at, coalesce(s.name, '')::text AS name,
    coalesce(s.order_id, 0)::bigint AS order_id, coalesce(o.number, '')::text AS number, p.stop_id,
    coalesce(CASE WHEN s.id IS NOT NULL THEN stop_position(s) END, '{}')::jsonb AS position
FROM place_proposals p
LEFT JOIN order_stops s ON s.org_id = p.org_id AND s.id = p.stop_id
LEFT JOIN orders o ON o.org_id = s.org_id AND o.id = s.order_id
LEFT JOIN drivers d ON d.org_id = p.org_id AND d.id = p.driver_id
LEFT JOIN locations l ON l.org_id = p.org_id AND l.id = p.location_id
WHERE p.org_id = @org_id AND p.state = 'OPEN' AND p.id > @after::bigint
ORDER BY p.id LIMIT @page_size::int;

-- name: DecideProposal :one
-- Accepts or dismisses an open proposal.
UPDATE place_proposals p SET state = @state, decided_at = now(), decided_by = @decided_by::text
WHERE p.org_id = @org_id AND p.id = @id AND p.state = 'OPEN'
RETURNING p.key, p.source, p.target, coalesce(p.location_id, 0)::bigint AS location_id, p.stop_id, p.latitude, p.longitude;

-- name: ProposalToAccept :many
-- The open proposal of a driver for the address of a stop, if the organization accepts such
-- proposals by itself. What the office says is not replaced.
SELECT p.id FROM order_stops s
JOIN organizations g ON g.id = s.org_id AND g.accept_drivers_pins
JOIN place_proposals p ON p.org_id = s.org_id AND p.key = decode(s.position ->> 'place', 'hex')
WHERE s.org_id = @org_id AND s.id = @stop_id AND p.source = 'DRIVER' AND p.target = 'ADDRESS' AND p.state = 'OPEN'
    AND NOT EXISTS (SELECT FROM place_pins i WHERE i.org_id = p.org_id AND i.key = p.key AND i.source = 'PERSON'
        AND i.pinned_by NOT LIKE 'device:%');

-- name: LockOrderOfStop :many
-- Locks the open order of a stop that is still to come, and that has coordinates of the order.
SELECT o.id, o.number FROM order_stops s JOIN orders o ON o.org_id = s.org_id AND o.id = s.order_id
WHERE s.org_id = @org_id AND s.id = @stop_id AND s.latitude IS NOT NULL AND s.longitude IS NOT NULL
  AND (o.status_id <= 3 OR o.status_id <= 5 AND s.kind = 'delivery')
FOR UPDATE OF o;

-- name: MoveStop :exec
-- Writes where a stop is that has coordinates of its order.
UPDATE order_stops SET latitude = @latitude::float8, longitude = @longitude::float8 WHERE org_id = @org_id AND id = @stop_id;

-- name: MoveStopOfShares :exec
-- Writes the same into what each of several numbers of the order says.
UPDATE erp_orders e SET own = jsonb_set(jsonb_set(e.own, ARRAY[initcap(s.kind), 'Address', 'latitude'], to_jsonb(@latitude::float8)),
    ARRAY[initcap(s.kind), 'Address', 'longitude'], to_jsonb(@longitude::float8))
FROM order_stops s
WHERE s.org_id = @org_id AND s.id = @stop_id AND e.org_id = s.org_id AND e.order_id = s.order_id
  AND e.own #> ARRAY[initcap(s.kind), 'Address', 'latitude'] IS NOT NULL;
