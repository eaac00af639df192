-- A JSON document without the members and numbers that match a pattern. Where a member of an
-- object matches, its other members that name a person go, too.
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
