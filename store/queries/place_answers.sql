-- name: BeginToWrite :exec
-- Gives the transaction its id, so that others see that it is under way.
SELECT pg_current_xact_id();

-- name: FindPlaceAnswers :many
-- Where a geocoding provider has addresses, if its answers are still valid.
SELECT key, provider, precision, latitude::float8 AS latitude, longitude::float8 AS longitude FROM place_answers
WHERE org_id = @org_id AND key = ANY (@keys::bytea[]) AND precision <> '' AND expires_at > now();

-- name: WantPlaces :exec
-- Notes that there is something to do for the addresses of an organization.
INSERT INTO place_work (org_id, wanted) VALUES (@org_id, 1)
ON CONFLICT (org_id) DO UPDATE SET wanted = place_work.wanted + 1, updated_at = now();

-- name: WantUnknownPlaces :execrows
-- Notes the same if some orders have an address that was not found.
INSERT INTO place_work (org_id, wanted)
SELECT o.id, 1 FROM organizations o WHERE o.id = @org_id AND o.ask_geocoder AND EXISTS (
    SELECT FROM unnest(@order_ids::bigint[]) k (id) CROSS JOIN LATERAL (
        SELECT s.position FROM order_stops s WHERE s.org_id = @org_id AND s.order_id = k.id OFFSET 0) s
    WHERE s.position ->> 'precision' IN ('POSTAL_CODE', 'CITY', 'UNKNOWN'))
ON CONFLICT (org_id) DO UPDATE SET wanted = place_work.wanted + 1, updated_at = now();

-- name: PlaceWork :one
-- What there is to do for the addresses of an organization, and whether all transactions have
-- ended that may have read the earlier register.
SELECT coalesce(w.wanted, 0)::bigint AS wanted, coalesce(w.done, 0)::bigint AS done,
    coalesce(w.register_xid::text, '')::text AS register,
    coalesce(w.register_xid < pg_snapshot_xmin(pg_current_snapshot()), false)::bool AS is_settled,
    coalesce(w.placed_order, 0)::bigint AS placed_order, (o.ask_geocoder AND o.closed_at IS NULL)::bool AS may_ask
FROM organizations o LEFT JOIN place_work w ON w.org_id = o.id WHERE o.id = @org_id;

-- name: SetPlaceWork :exec
-- Notes how far the work is done.
INSERT INTO place_work (org_id, wanted, done, waiting) VALUES (@org_id, @done, @done, @waiting)
ON CONFLICT (org_id) DO UPDATE SET done = greatest(place_work.done, excluded.done), waiting = excluded.waiting, updated_at = now();

-- name: SetPlacedOrder :exec
-- Notes up to which order a changed register was applied, unless it has changed again.
UPDATE place_work SET placed_order = @placed_order, updated_at = now()
WHERE org_id = @org_id AND register_xid::text = @register::text;

-- name: SetRegisterApplied :exec
-- Notes that a changed register was applied, unless it has changed again.
UPDATE place_work SET register_xid = NULL, placed_order = 0, updated_at = now()
WHERE org_id = @org_id AND register_xid::text = @register::text;

-- name: NoteMove :exec
-- Notes that transactions under way may still read the earlier pin of an address.
INSERT INTO place_moves (org_id, key, xid) VALUES (@org_id, @key, pg_current_xact_id())
ON CONFLICT (org_id, key) DO UPDATE SET xid = excluded.xid;

-- name: MovedPlaces :many
-- Addresses whose pin was moved, and whether nobody can read the earlier one any more.
SELECT m.key, m.xid::text AS xid, (m.xid < pg_snapshot_xmin(pg_current_snapshot()))::bool AS is_settled FROM place_moves m
WHERE m.org_id = @org_id ORDER BY m.key LIMIT @most::int;

-- name: ForgetMoves :exec
-- Forgets moved pins, unless they were moved again.
DELETE FROM place_moves m USING (SELECT unnest(@keys::bytea[]) AS key, unnest(@xids::text[]) AS xid) x
WHERE m.org_id = @org_id AND m.key = x.key AND m.xid::text = x.xid;

-- name: StopsToPlaceAgain :many
-- Addresses of stops of open orders without a good position, of the next orders after one.
SELECT s.order_id, s.id, (s.position IS NULL)::bool AS is_new, coalesce(s.address1, '')::text AS address1,
    coalesce(s.address2, '')::text AS address2, coalesce(s.postal_code, '')::text AS postal_code,
    coalesce(s.city, '')::text AS city, coalesce(s.country, '')::text AS country
FROM (
    SELECT u.order_id FROM (
        (SELECT a.order_id FROM order_stops a JOIN orders o ON o.org_id = a.org_id AND o.id = a.order_id
         WHERE a.org_id = @org_id AND a.order_id > @after_order AND o.status_id <= 5
            AND a.position ->> 'precision' IN ('STREET', 'POSTAL_CODE', 'CITY', 'UNKNOWN')
         ORDER BY a.order_id LIMIT @most::int)
        UNION
        (SELECT b.order_id FROM order_stops b JOIN orders o ON o.org_id = b.org_id AND o.id = b.order_id
         WHERE b.org_id = @org_id AND b.order_id > @after_order AND o.status_id <= 5
            AND b.latitude IS NULL AND b.position IS NULL
         ORDER BY b.order_id LIMIT @most::int)
    ) u ORDER BY u.order_id LIMIT @most::int
) k
CROSS JOIN LATERAL (SELECT * FROM order_stops i WHERE i.org_id = @org_id AND i.order_id = k.order_id OFFSET 0) s
WHERE s.latitude IS NULL
  AND (s.position IS NULL OR s.position ->> 'precision' IN ('STREET', 'POSTAL_CODE', 'CITY', 'UNKNOWN'))
ORDER BY s.order_id, s.id;

-- name: NameUnplacedStops :exec
-- Writes the address of stops that nobody has looked for, so that they are placed by it.
UPDATE order_stops s SET position = x.position::jsonb
FROM (SELECT unnest(@ids::bigint[]) AS id, unnest(@positions::text[]) AS position) x, orders o
WHERE s.org_id = @org_id AND s.id = x.id AND s.position IS NULL AND s.latitude IS NULL
  AND o.org_id = s.org_id AND o.id = s.order_id AND o.status_id <= 5
  AND NOT EXISTS (SELECT FROM locations l WHERE l.org_id = s.org_id AND l.id = s.location_id
    AND l.latitude IS NOT NULL AND l.longitude IS NOT NULL);

-- name: LocationsToPlaceAgain :many
-- Locations without a good position, after one.
SELECT l.id FROM locations l
WHERE l.org_id = @org_id AND l.id > @after_location AND l.deleted_at IS NULL AND l.latitude IS NULL
  AND (l.position IS NULL OR l.position ->> 'precision' IN ('STREET', 'POSTAL_CODE', 'CITY', 'UNKNOWN'))
ORDER BY l.id LIMIT @most::int;

-- name: PlacesToAsk :many
-- Addresses of open orders and of locations that were not found, and that no valid answer is
-- known for: those that were asked least first, and then by date.
SELECT x.place::text AS place, x.address1, x.address2, x.postal_code, x.city, x.country, x.latitude, x.longitude, x.precision::text AS precision,
    count(*) OVER () AS waiting
FROM (
    SELECT DISTINCT ON (y.place) y.*, coalesce(a.asked, 0) AS asked
    FROM (
        SELECT s.position ->> 'place' AS place, coalesce(s.address1, '')::text AS address1,
            coalesce(s.address2, '')::text AS address2, coalesce(s.postal_code, '')::text AS postal_code,
            coalesce(s.city, '')::text AS city, coalesce(s.country, '')::text AS country, o.date,
            coalesce((s.position ->> 'latitude')::float8, 0)::float8 AS latitude,
            coalesce((s.position ->> 'longitude')::float8, 0)::float8 AS longitude,
            coalesce(s.position ->> 'precision', '')::text AS precision
        FROM order_stops s JOIN orders o ON o.org_id = s.org_id AND o.id = s.order_id
        WHERE s.org_id = @org_id AND s.position ->> 'precision' IN ('POSTAL_CODE', 'CITY', 'UNKNOWN')
          AND o.date >= @since::date AND (o.status_id <= 3 OR o.status_id <= 5 AND s.kind = 'delivery')
        UNION ALL
        SELECT l.position ->> 'place', coalesce(l.address1, ''), coalesce(l.address2, ''), coalesce(l.postal_code, ''),
            coalesce(l.city, ''), coalesce(l.country, ''), current_date,
            coalesce((l.position ->> 'latitude')::float8, 0), coalesce((l.position ->> 'longitude')::float8, 0),
            coalesce(l.position ->> 'precision', '')
        FROM locations l
        WHERE l.org_id = @org_id AND l.position ->> 'precision' IN ('POSTAL_CODE', 'CITY', 'UNKNOWN')
          AND l.deleted_at IS NULL AND l.position IS NOT NULL
    ) y
    LEFT JOIN place_answers a ON a.org_id = @org_id AND a.key = decode(y.place, 'hex')
    WHERE y.place <> '' AND (a.key IS NULL OR a.answered_at IS NULL OR a.expires_at <= now())
    ORDER BY y.place, y.date
) x
ORDER BY x.asked, x.date, x.place
LIMIT @most::int;

-- name: ClaimPlace :execrows
-- Notes that a provider is about to be asked for an address, unless another worker has its
-- answer.
INSERT INTO place_answers (org_id, key, provider, expires_at) VALUES (@org_id, @key, @provider, now() + make_interval(secs => @keep_seconds))
ON CONFLICT (org_id, key) DO UPDATE SET provider = excluded.provider, asked_at = now(), expires_at = excluded.expires_at,
    asked = CASE WHEN place_answers.expires_at > now() THEN place_answers.asked + 1 ELSE 1 END, answered_at = NULL
WHERE place_answers.answered_at IS NULL OR place_answers.expires_at <= now();

-- name: SavePlaceAnswer :exec
-- Keeps the answer of a provider; an empty precision is an address that it does not know.
UPDATE place_answers SET answered_at = now(), expires_at = now() + make_interval(secs => @keep_seconds), precision = @precision,
    latitude = CASE WHEN @precision::text <> '' THEN @latitude::float8 END,
    longitude = CASE WHEN @precision::text <> '' THEN @longitude::float8 END
WHERE org_id = @org_id AND key = @key;

-- name: PlacesWaiting :one
SELECT places_waiting()::bigint AS waiting;

-- name: ForgetPlaceAnswers :one
SELECT forget_place_answers(@before::timestamptz, @batch::int, @dry::boolean)::int AS counted;
