-- name: FindPins :many
-- Where people of an organization say that addresses are, or its drivers have arrived.
SELECT key, latitude, longitude, source FROM place_pins WHERE org_id = @org_id AND key = ANY (@keys::bytea[]);

-- name: PlaceNames :one
-- What there is to look addresses up in.
SELECT y.has_register::bool AS has_register, y.has_pins::bool AS has_pins, y.has_answers::bool AS has_answers
FROM places_known(@org_id) y;

-- name: LocationsToPlace :many
-- The addresses of locations, by id or external id.
SELECT l.id, coalesce(l.address1, '')::text AS address1, coalesce(l.address2, '')::text AS address2,
    coalesce(l.postal_code, '')::text AS postal_code, coalesce(l.city, '')::text AS city,
    coalesce(l.country, '')::text AS country, (l.latitude IS NOT NULL AND l.longitude IS NOT NULL)::bool AS has_point
FROM (
    SELECT k.id FROM unnest(@ids::bigint[]) AS k (id)
    UNION
    SELECT x.id FROM unnest(@external_ids::text[]) AS k (external_id)
    CROSS JOIN LATERAL (SELECT o.id FROM locations o WHERE o.org_id = @org_id AND o.external_id = k.external_id
        AND o.deleted_at IS NULL OFFSET 0) x
) wanted
CROSS JOIN LATERAL (SELECT * FROM locations o WHERE o.org_id = @org_id AND o.id = wanted.id OFFSET 0) l
ORDER BY l.id;

-- name: PlaceLocations :exec
-- Writes where locations are. An empty position is that of a location with coordinates.
UPDATE locations l SET position = nullif(x.position, '')::jsonb
FROM (SELECT unnest(@ids::bigint[]) AS id, unnest(@positions::text[]) AS position) x
WHERE l.org_id = @org_id AND l.id = x.id AND l.position IS DISTINCT FROM nullif(x.position, '')::jsonb;

-- name: AddressOfPlace :many
-- An address by its key, as a stop, a location or a pin has it.
(SELECT coalesce(s.address1, '')::text AS address1, coalesce(s.address2, '')::text AS address2,
    coalesce(s.postal_code, '')::text AS postal_code, coalesce(s.city, '')::text AS city,
    coalesce(s.country, '')::text AS country
FROM order_stops s WHERE s.org_id = @org_id AND s.position ->> 'place' = @place::text AND s.position IS NOT NULL
ORDER BY s.id DESC LIMIT 1)
UNION ALL
(SELECT coalesce(l.address1, ''), coalesce(l.address2, ''), coalesce(l.postal_code, ''), coalesce(l.city, ''),
    coalesce(l.country, '')
FROM locations l WHERE l.org_id = @org_id AND l.position ->> 'place' = @place::text AND l.position IS NOT NULL
ORDER BY l.id DESC LIMIT 1)
UNION ALL
SELECT p.address1, '', p.postal_code, p.city, p.country FROM place_pins p
WHERE p.org_id = @org_id AND p.key = decode(@place::text, 'hex')
LIMIT 1;

-- name: SavePin :exec
INSERT INTO place_pins (org_id, key, address1, postal_code, city, country, latitude, longitude, pinned_by,
    source)
VALUES (@org_id, @key, @address1, @postal_code, @city, @country, @latitude, @longitude, @pinned_by, @source)
ON CONFLICT (org_id, key) DO UPDATE SET latitude = excluded.latitude, longitude = excluded.longitude,
    pinned_by = excluded.pinned_by, source = excluded.source, pinned_at = now();

-- name: DeletePin :execrows
DELETE FROM place_pins WHERE org_id = @org_id AND key = @key;

-- name: LockOrdersOfPlaces :many
-- Locks the open orders that have a stop at one of some addresses that is still
-- to come, and that has another position.
WITH found AS MATERIALIZED (
    SELECT s.order_id, bool_or(s.kind = 'delivery') AS delivers
    FROM (SELECT unnest(@places::text[]) AS place, unnest(@positions::text[]) AS position) x
    CROSS JOIN LATERAL (SELECT * FROM order_stops i WHERE i.org_id = @org_id AND i.position ->> 'place' = x.place
        AND i.position IS NOT NULL OFFSET 0) s
    WHERE s.position IS DISTINCT FROM x.position::jsonb
      AND (NOT @unsure_only::bool OR s.position ->> 'precision' IN ('STREET', 'POSTAL_CODE', 'CITY', 'UNKNOWN'))
    GROUP BY s.order_id
)
SELECT o.id, o.number FROM found f JOIN orders o ON o.org_id = @org_id AND o.id = f.order_id
WHERE o.status_id <= 5 AND (f.delivers OR o.status_id <= 3)
ORDER BY o.id
FOR UPDATE OF o;

-- name: PlaceStops :exec
-- Writes where the stops of addresses are.
UPDATE order_stops s SET position = x.position::jsonb
FROM (SELECT unnest(@places::text[]) AS place, unnest(@positions::text[]) AS position) x, orders o
WHERE s.org_id = @org_id AND s.order_id = ANY (@order_ids::bigint[]) AND s.position ->> 'place' = x.place
  AND s.position IS DISTINCT FROM x.position::jsonb
  AND (NOT @unsure_only::bool OR s.position ->> 'precision' IN ('STREET', 'POSTAL_CODE', 'CITY', 'UNKNOWN'))
  AND o.org_id = s.org_id AND o.id = s.order_id AND (s.kind = 'delivery' OR o.status_id <= 3);

-- name: PlaceShares :exec
-- Writes the same into what each of several numbers of an order says.
UPDATE erp_orders e SET own = jsonb_set(jsonb_set(e.own,
    '{Pickup,Position}', coalesce((SELECT x.position::jsonb
        FROM (SELECT unnest(@places::text[]) AS place, unnest(@positions::text[]) AS position) x
        WHERE x.place = e.own #>> '{Pickup,Position,place}'), e.own #> '{Pickup,Position}', 'null')),
    '{Delivery,Position}', coalesce((SELECT x.position::jsonb
        FROM (SELECT unnest(@places::text[]) AS place, unnest(@positions::text[]) AS position) x
        WHERE x.place = e.own #>> '{Delivery,Position,place}'), e.own #> '{Delivery,Position}', 'null'))
WHERE e.org_id = @org_id AND e.order_id = ANY (@order_ids::bigint[])
  AND (e.own #>> '{Pickup,Position,place}' = ANY (@places::text[])
    OR e.own #>> '{Delivery,Position,place}' = ANY (@places::text[]));

-- name: PlaceLocationsOfAddresses :exec
-- Writes where the locations of addresses are.
UPDATE locations l SET position = x.position::jsonb
FROM (SELECT unnest(@places::text[]) AS place, unnest(@positions::text[]) AS position) x
WHERE l.org_id = @org_id AND l.position ->> 'place' = x.place AND l.position IS NOT NULL
  AND l.position IS DISTINCT FROM x.position::jsonb
  AND (NOT @unsure_only::bool OR l.position ->> 'precision' IN ('STREET', 'POSTAL_CODE', 'CITY', 'UNKNOWN'));

-- name: PlacesToCheck :many
-- Stops of open orders whose address was not found well enough, by date, behind a stop.
SELECT o.id AS order_id, o.number, o.date, s.id AS stop_id, s.kind, s.name, s.address1, s.address2, s.postal_code, s.city,
    s.country, coalesce(s.position, '{}')::jsonb AS position
FROM order_stops s JOIN orders o ON o.org_id = s.org_id AND o.id = s.order_id
WHERE s.org_id = @org_id AND s.position ->> 'precision' IN ('STREET', 'POSTAL_CODE', 'CITY', 'UNKNOWN')
  AND s.position ->> 'precision' = ANY (@precisions::text[])
  AND o.date >= @first_day::date AND o.date <= @last_day::date
  AND (o.status_id <= 3 OR o.status_id <= 5 AND s.kind = 'delivery')
  AND (o.date, s.id) > (@after_day::date, @after_stop::bigint)
  AND NOT EXISTS (SELECT FROM locations l WHERE l.org_id = s.org_id AND l.id = s.location_id
    AND l.latitude IS NOT NULL AND l.longitude IS NOT NULL)
ORDER BY o.date, s.id
LIMIT @page_size::int;

-- name: CountPlacesToCheck :one
-- How many stops PlacesToCheck has from the first one on, up to a limit.
SELECT count(*)::bigint FROM (
    SELECT FROM order_stops s JOIN orders o ON o.org_id = s.org_id AND o.id = s.order_id
    WHERE s.org_id = @org_id AND s.position ->> 'precision' IN ('STREET', 'POSTAL_CODE', 'CITY', 'UNKNOWN')
      AND s.position ->> 'precision' = ANY (@precisions::text[])
      AND o.date >= @first_day::date AND o.date <= @last_day::date
      AND (o.status_id <= 3 OR o.status_id <= 5 AND s.kind = 'delivery')
      AND NOT EXISTS (SELECT FROM locations l WHERE l.org_id = s.org_id AND l.id = s.location_id
        AND l.latitude IS NOT NULL AND l.longitude IS NOT NULL)
    LIMIT @most::int
) x;
