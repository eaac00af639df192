-- A document without what names people or says where they live, by the names of its members. A
-- name goes where an address or a contact stands beside it.
CREATE OR REPLACE FUNCTION without_people(doc jsonb) RETURNS jsonb LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    CASE jsonb_typeof(doc)
    WHEN 'array' THEN
        RETURN (SELECT coalesce(jsonb_agg(without_people(e.value) ORDER BY e.n), '[]')
            FROM jsonb_array_elements(doc) WITH ORDINALITY AS e (value, n));
    WHEN 'object' THEN
        RETURN (SELECT coalesce(jsonb_object_agg(m.key, CASE
                WHEN jsonb_typeof(m.value) IN ('object', 'array') AND k.name <> 'contacts' THEN without_people(m.value)
                WHEN jsonb_typeof(m.value) = 'array' THEN '[]'
                WHEN jsonb_typeof(m.value) = 'string' AND m.value <> '""' AND (k.name IN ('firstname', 'lastname', 'phonenumber',
                        'phone', 'emailaddress', 'email', 'signee', 'signeename', 'signedby', 'address1', 'address2', 'addressline1',
                        'addressline2', 'instructions', 'customerinstructions', 'parkinginstructions', 'comment', 'note')
                    OR k.name = 'name' AND o.is_place) THEN '"[erased]"'
                WHEN jsonb_typeof(m.value) = 'number' AND k.name IN ('latitude', 'longitude') THEN 'null'
                ELSE m.value END), '{}')
            FROM jsonb_each(doc) m
            CROSS JOIN LATERAL (SELECT replace(lower(m.key), '_', '') AS name) k
            CROSS JOIN (SELECT bool_or(replace(lower(x.key), '_', '') IN ('address1', 'addressline1', 'postalcode', 'city',
                    'contact', 'contacts')) AS is_place
                FROM jsonb_each(doc) x) o);
    ELSE
        RETURN doc;
    END CASE;
END
$$;

-- The same of a document that is kept as a text. What is no document says nothing any more.
CREATE OR REPLACE FUNCTION without_people(body text) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    RETURN CASE WHEN body IS NULL OR body = '' THEN body ELSE without_people(body::jsonb)::text END;
EXCEPTION WHEN data_exception THEN
    RETURN '';
END
$$;
