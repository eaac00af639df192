-- Who is in a JSON document by an address that matches: what they are called, and what else
-- they are reached by. A text that is no JSON has nobody.
CREATE OR REPLACE FUNCTION people_in_document(body text, pattern text) RETURNS TABLE (name text, addresses text[])
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
