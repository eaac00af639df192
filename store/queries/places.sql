-- name: PlaceSources :many
-- The sources of the address register, by precedence.
SELECT id, name, format, rank, attribution, fingerprint, load, streets, addresses, towns, skipped, loaded_at
FROM place_sources ORDER BY rank, name;

-- name: FindPlaces :many
-- All that the register has for addresses, each with its possible readings: the
-- streets of a reading, with the wanted house and its neighbors, and the towns.
-- Finds the town or postal code first and the street within it. Searches
-- misspelled streets in the postal code, and in the town only without one. The
-- planner hashes NOT IN whatever it expects, unlike NOT EXISTS. kind is 0 for a
-- town, 1 for a street, and 2 for a street of that name in another town.
WITH wanted AS MATERIALIZED (
    SELECT unnest(@queries::int[])::int AS query, unnest(@readings::int[])::int AS reading,
        unnest(@countries::text[]) COLLATE "C" AS country, unnest(@postal_codes::text[]) COLLATE "C" AS postal_code,
        unnest(@towns::text[]) COLLATE "C" AS town, unnest(@town_letters::bigint[]) AS town_letters,
        unnest(@plains::text[]) COLLATE "C" AS plain, unnest(@keys::text[]) COLLATE "C" AS key,
        unnest(@plain_letters::bigint[]) AS plain_letters, unnest(@key_letters::bigint[]) AS key_letters,
        unnest(@numbers::int[]) AS number, unnest(@wrongs::int[]) AS wrong
), asked AS MATERIALIZED (
    SELECT DISTINCT query, country, postal_code, town, town_letters FROM wanted
), named AS MATERIALIZED (
    SELECT a.query, t.source_id, t.country, t.postal_code, t.town_key, t.city, t.latitude, t.longitude,
        true AS by_postal, t.town_key = a.town AND a.town <> '' AS by_name
    FROM asked a JOIN towns t ON t.country = a.country AND t.postal_code = a.postal_code
    WHERE a.postal_code <> ''
    UNION ALL
    SELECT a.query, t.source_id, t.country, t.postal_code, t.town_key, t.city, t.latitude, t.longitude, false, true
    FROM asked a JOIN towns t ON t.country = a.country AND t.town_key = a.town AND t.postal_code = ''
    WHERE a.town <> ''
), near AS MATERIALIZED (
    -- a misspelled town, if nothing else identifies it
    SELECT a.query, t.source_id, t.country, t.postal_code, t.town_key, t.city, t.latitude, t.longitude,
        false AS by_postal, true AS by_name
    FROM asked a JOIN towns t ON t.country = a.country AND t.postal_code = ''
        AND bit_count((t.key_letters # a.town_letters)::bit(32)) <= 2
        AND (levenshtein_less_equal(t.town_key, a.town, 2) <= 1
          OR levenshtein_less_equal(t.town_key, a.town, 2) = 2 AND t.key_letters = a.town_letters
            AND length(t.town_key) = length(a.town)) -- two letters that changed places
    WHERE length(a.town) >= 4 AND a.query NOT IN (SELECT n.query FROM named n)
), places AS MATERIALIZED (
    SELECT query, country, town_key FROM named UNION SELECT query, country, town_key FROM near
), sought AS MATERIALIZED (
    -- materialized, so that no plan joins towns with all their streets
    SELECT w.query, w.reading, w.number, w.key, w.postal_code, p.country, p.town_key
    FROM wanted w JOIN places p ON p.query = w.query WHERE w.key <> ''
), exact AS MATERIALIZED (
    SELECT w.query, w.reading, w.number, s.id, s.postal_code = w.postal_code OR w.postal_code = '' AS settled
    FROM sought w JOIN streets s ON s.country = w.country AND s.key = w.key AND s.town_key = w.town_key
    WHERE s.town_key <> '' OR s.postal_code = w.postal_code
), unknown AS MATERIALIZED (
    -- readings whose name the postal code does not have
    SELECT w.* FROM wanted w
    WHERE w.wrong > 0 AND (w.query, w.reading) NOT IN (SELECT e.query, e.reading FROM exact e WHERE e.settled)
), close AS MATERIALIZED (
    -- Two letters that changed places count as two here, and as one in domain/place.
    SELECT u.query, u.reading, u.number, s.id
    FROM unknown u JOIN streets s ON s.country = u.country AND s.postal_code = u.postal_code
        AND (abs(length(s.plain) - length(u.plain)) <= u.wrong
            AND bit_count((s.plain_letters # u.plain_letters)::bit(32)) <= 2 * u.wrong
            AND levenshtein_less_equal(s.plain, u.plain, 4) <= 2 * u.wrong
          OR abs(length(s.key) - length(u.key)) <= u.wrong
            AND bit_count((s.key_letters # u.key_letters)::bit(32)) <= 2 * u.wrong
            AND levenshtein_less_equal(s.key, u.key, 4) <= 2 * u.wrong)
    WHERE u.postal_code <> ''
), lost AS MATERIALIZED (
    SELECT u.query, u.reading, u.number, u.plain, u.key, u.plain_letters, u.key_letters, u.wrong, p.country, p.town_key
    FROM unknown u JOIN places p ON p.query = u.query AND p.town_key <> ''
    WHERE (u.query, u.reading) NOT IN (SELECT e.query, e.reading FROM exact e)
        AND (u.query, u.reading) NOT IN (SELECT c.query, c.reading FROM close c)
), wide AS MATERIALIZED (
    SELECT l.query, l.reading, l.number, s.id
    FROM lost l JOIN streets s ON s.country = l.country AND s.town_key = l.town_key
        AND (abs(length(s.plain) - length(l.plain)) <= l.wrong
            AND bit_count((s.plain_letters # l.plain_letters)::bit(32)) <= 2 * l.wrong
            AND levenshtein_less_equal(s.plain, l.plain, 4) <= 2 * l.wrong
          OR abs(length(s.key) - length(l.key)) <= l.wrong
            AND bit_count((s.key_letters # l.key_letters)::bit(32)) <= 2 * l.wrong
            AND levenshtein_less_equal(s.key, l.key, 4) <= 2 * l.wrong)
), candidates AS MATERIALIZED (
    SELECT query, reading, number, id FROM exact
    UNION SELECT query, reading, number, id FROM close
    UNION SELECT query, reading, number, id FROM wide
)
SELECT 0 AS kind, n.query::int AS query, 0 AS reading, o.name AS source, o.rank, n.postal_code, n.city, n.town_key, ''::text AS name,
    ''::text AS plain, ''::text AS key, n.latitude, n.longitude, n.by_postal, coalesce(n.by_name, false)::bool AS by_name,
    0 AS number, ''::text AS letter, false AS guessed, 0::float8 AS point_latitude, 0::float8 AS point_longitude
FROM (SELECT * FROM named UNION ALL SELECT * FROM near) n JOIN place_sources o ON o.id = n.source_id
UNION ALL
SELECT 1, c.query::int, c.reading, o.name, o.rank, s.postal_code, s.city, s.town_key, s.name, s.plain, s.key, s.latitude,
    s.longitude, false, false, coalesce(p.number, 0), coalesce(p.letter, ''), coalesce(p.guessed, false),
    coalesce(p.latitude, 0), coalesce(p.longitude, 0)
FROM candidates c JOIN streets s ON s.id = c.id JOIN place_sources o ON o.id = s.source_id
LEFT JOIN LATERAL (
    (SELECT x.number, x.letter, x.guessed, x.latitude, x.longitude FROM address_points x
     WHERE x.street_id = s.points_id AND x.number = c.number ORDER BY x.letter LIMIT 100)
    UNION ALL
    (SELECT x.number, x.letter, x.guessed, x.latitude, x.longitude FROM address_points x
     WHERE x.street_id = s.points_id AND x.number < c.number AND (c.number - x.number) % 2 = 0
     ORDER BY x.number DESC, x.letter DESC LIMIT 1)
    UNION ALL
    (SELECT x.number, x.letter, x.guessed, x.latitude, x.longitude FROM address_points x
     WHERE x.street_id = s.points_id AND x.number > c.number AND (x.number - c.number) % 2 = 0
     ORDER BY x.number, x.letter LIMIT 1)
) p ON c.number > 0
UNION ALL
SELECT 2, w.query::int, w.reading, '', 0, '', '', '', '', '', '', 0, 0, false, false, 0, '', false, 0, 0
FROM unknown w
WHERE (w.query, w.reading) NOT IN (SELECT e.query, e.reading FROM exact e)
    AND EXISTS (SELECT FROM streets s WHERE s.country = w.country AND s.key = w.key);

-- name: SearchStreets :many
-- Streets whose names begin with the typed text, or are another form of it, by
-- its readings. Those in the wanted town with most addresses come first.
SELECT x.id, x.points_id, o.rank, o.name AS source, x.addresses, x.postal_code, x.city, x.town_key, x.name, x.plain, x.key,
    x.latitude, x.longitude
FROM (
    SELECT unnest(@plains::text[]) COLLATE "C" AS plain, unnest(@ends::text[]) COLLATE "C" AS plain_end,
        unnest(@keys::text[]) COLLATE "C" AS key, unnest(@towns::text[]) COLLATE "C" AS town,
        unnest(@postal_codes::text[]) COLLATE "C" AS postal_code
) r
CROSS JOIN LATERAL (
    (SELECT s.* FROM streets s
     WHERE s.plain >= r.plain AND s.plain < r.plain_end AND s.country = @country
        AND starts_with(s.town_key, r.town) AND starts_with(s.postal_code, r.postal_code)
     ORDER BY s.plain = r.plain DESC,
        CASE WHEN @is_near::bool THEN abs(s.latitude - @latitude) + abs(s.longitude - @longitude) / 2 END,
        s.addresses DESC
     LIMIT @most::int)
    UNION ALL
    (SELECT s.* FROM streets s
     WHERE s.country = @country AND s.key = r.key
        AND starts_with(s.town_key, r.town) AND starts_with(s.postal_code, r.postal_code)
     ORDER BY CASE WHEN @is_near::bool THEN abs(s.latitude - @latitude) + abs(s.longitude - @longitude) / 2 END,
        s.addresses DESC
     LIMIT @most::int)
) x
JOIN place_sources o ON o.id = x.source_id;

-- name: SearchMisspelledStreets :many
-- Streets whose first letters differ by one from the typed text.
SELECT x.id, x.points_id, o.rank, o.name AS source, x.addresses, x.postal_code, x.city, x.town_key, x.name, x.plain, x.key,
    x.latitude, x.longitude
FROM (
    SELECT s.* FROM streets s WHERE s.deletions && @deletions::int[] AND s.country = @country
        AND starts_with(s.town_key, @town) AND starts_with(s.postal_code, @postal_code)
    ORDER BY CASE WHEN @is_near::bool THEN abs(s.latitude - @latitude) + abs(s.longitude - @longitude) / 2 END,
        s.addresses DESC
    LIMIT @most::int
) x
JOIN place_sources o ON o.id = x.source_id;

-- name: HousesOfStreets :many
-- The houses of streets whose numbers begin with the digits that were typed, all without any.
SELECT t.street_id::bigint AS street_id, p.number, p.letter, p.guessed, p.latitude, p.longitude
FROM unnest(@streets::bigint[]) WITH ORDINALITY t (street_id, place)
CROSS JOIN LATERAL (
    SELECT x.number, x.letter, x.guessed, x.latitude, x.longitude FROM address_points x
    WHERE x.street_id = t.street_id AND (@digits::text = '' OR starts_with(x.number::text, @digits))
        AND (@letter::text = '' OR x.letter = @letter)
    ORDER BY x.number, x.letter LIMIT @most::int
) p
ORDER BY t.place, p.number, p.letter;
