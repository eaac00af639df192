-- Lines of an archive without what matches, in their order. Of orders, those are looked at
-- that have the address of the person somewhere.
CREATE OR REPLACE FUNCTION erased_lines(lines text[], addresses text, pattern text, at timestamptz)
    RETURNS TABLE (line text, is_erased boolean)
    LANGUAGE sql IMMUTABLE
AS $$
    SELECT coalesce(e.line, l.line), e.line IS NOT NULL
    FROM unnest(lines) WITH ORDINALITY AS l (line, n)
    LEFT JOIN LATERAL (
        SELECT jsonb_build_object('table', d.doc -> 'table', 'rows', jsonb_object_agg(t.key, t.rows))::text AS line
        FROM (SELECT l.line::jsonb AS doc OFFSET 0) d
        CROSS JOIN LATERAL (
            SELECT x.key, x.value AS before, (SELECT coalesce(jsonb_agg(erased_row(x.key, r.value, pattern, at) ORDER BY r.n), '[]')
                FROM jsonb_array_elements(x.value) WITH ORDINALITY AS r (value, n)) AS rows
            FROM jsonb_each(d.doc -> 'rows') x) t
        WHERE l.line ~* addresses OR d.doc ->> 'table' <> 'orders' AND l.line ~* pattern
        GROUP BY d.doc HAVING bool_or(t.rows <> t.before)
    ) e ON true
    ORDER BY l.n
$$;
