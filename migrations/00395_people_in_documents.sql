-- +goose Up
-- A person is found who is a contact no more, and one whose contact has a single name.

-- +goose StatementBegin

-- Who is in a JSON document by an address that matches: what they are called, and what else
-- they are reached by. A text that is no JSON has nobody.
CREATE FUNCTION people_in_document(body text, pattern text) RETURNS TABLE (name text, addresses text[])
    LANGUAGE plpgsql IMMUTABLE
AS $$
BEGIN
    RETURN QUERY
    SELECT trim(concat_ws(' ', max(m.value) FILTER (WHERE m.key = 'firstname'), max(m.value) FILTER (WHERE m.key = 'lastname'))),
        coalesce(array_agg(DISTINCT m.value) FILTER (WHERE m.key IN ('phonenumber', 'emailaddress') AND m.value <> ''), '{}')
    FROM jsonb_path_query(body::jsonb, 'strict $.**') WITH ORDINALITY AS o (doc, n)
    CROSS JOIN LATERAL (
        SELECT replace(lower(e.key), '_', '') AS key, e.value #>> '{}' AS value
        FROM jsonb_each(CASE WHEN jsonb_typeof(o.doc) = 'object' THEN o.doc ELSE '{}' END) e
        WHERE jsonb_typeof(e.value) = 'string'
    ) m
    WHERE m.key IN ('firstname', 'lastname', 'phonenumber', 'emailaddress')
    GROUP BY o.n
    HAVING bool_or(m.key IN ('phonenumber', 'emailaddress') AND m.value ~* pattern);
EXCEPTION WHEN data_exception THEN
    RETURN;
END
$$;

-- As in 00103_erasure.sql; a number that matches goes, too.
CREATE OR REPLACE FUNCTION erased_document(doc jsonb, pattern text) RETURNS jsonb LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    IF doc IS NULL OR doc::text !~* pattern THEN
        RETURN doc;
    END IF;
    CASE jsonb_typeof(doc)
    WHEN 'string' THEN
        RETURN to_jsonb(erased_text(doc #>> '{}', pattern));
    WHEN 'number' THEN
        RETURN 'null';
    WHEN 'array' THEN
        RETURN (SELECT coalesce(jsonb_agg(erased_document(e.value, pattern) ORDER BY e.n), '[]')
            FROM jsonb_array_elements(doc) WITH ORDINALITY AS e (value, n));
    WHEN 'object' THEN
        RETURN (SELECT jsonb_object_agg(m.key, CASE
                WHEN jsonb_typeof(m.value) = 'string' AND o.is_theirs AND replace(lower(m.key), '_', '') IN (
                    'firstname', 'lastname', 'phonenumber', 'emailaddress', 'signee', 'signeename') THEN '""'
                ELSE erased_document(m.value, pattern) END)
            FROM jsonb_each(doc) m
            CROSS JOIN (SELECT bool_or(jsonb_typeof(x.value) = 'string' AND x.value #>> '{}' ~* pattern) AS is_theirs
                FROM jsonb_each(doc) x) o);
    ELSE
        RETURN doc;
    END CASE;
END
$$;

-- As in 00256_erased_from_all_of_orders.sql, also of contacts with a single name.
CREATE OR REPLACE FUNCTION find_in_archive(lines text[], pattern text) RETURNS SETOF text
    LANGUAGE sql IMMUTABLE
AS $$
    SELECT DISTINCT trim(concat_ws(' ', c.value ->> 'first_name', c.value ->> 'last_name'))
    FROM unnest(lines) AS l (line)
    CROSS JOIN LATERAL jsonb_array_elements(l.line::jsonb -> 'rows' -> 'stop_contacts') AS c
    WHERE l.line ~* pattern AND (c.value ->> 'email_address' ~* pattern OR c.value ->> 'phone_number' ~* pattern)
      AND concat(c.value ->> 'first_name', c.value ->> 'last_name') <> ''
$$;
-- +goose StatementEnd
