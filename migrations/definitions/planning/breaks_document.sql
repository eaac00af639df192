-- The breaks of a route as a document, in sequence. Those at a place have its location.
CREATE OR REPLACE FUNCTION breaks_document(org bigint, breaks jsonb) RETURNS jsonb LANGUAGE sql STABLE
AS $$
    SELECT coalesce(jsonb_agg(jsonb_build_object('startsAt', x.b->'starts', 'endsAt', x.b->'ends')
        || CASE WHEN x.b ? 'place' THEN jsonb_build_object('location', jsonb_build_object(
            'id', x.b->'place'->'locationId', 'name', coalesce(l.name, ''),
            'latitude', x.b->'place'->'latitude', 'longitude', x.b->'place'->'longitude',
            'drivingSeconds', x.b->'place'->'drivingSeconds', 'meters', x.b->'place'->'meters')) ELSE '{}' END
        ORDER BY x.b->>'starts'), '[]')
    FROM jsonb_array_elements(breaks) x(b)
    LEFT JOIN locations l ON l.org_id = org AND l.id = (x.b->'place'->>'locationId')::bigint
$$;
