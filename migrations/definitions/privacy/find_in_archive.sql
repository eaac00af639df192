-- Returns the names of people whose contacts match, in lines of an archive, also of contacts with
-- a single name.
CREATE OR REPLACE FUNCTION find_in_archive(lines text[], pattern text) RETURNS SETOF text
    LANGUAGE sql IMMUTABLE
AS $$
    SELECT DISTINCT trim(concat_ws(' ', c.value ->> 'first_name', c.value ->> 'last_name'))
    FROM unnest(lines) AS l (line)
    CROSS JOIN LATERAL jsonb_array_elements(l.line::jsonb -> 'rows' -> 'stop_contacts') AS c
    WHERE l.line ~* pattern AND (c.value ->> 'email_address' ~* pattern OR c.value ->> 'phone_number' ~* pattern)
      AND concat(c.value ->> 'first_name', c.value ->> 'last_name') <> ''
$$;
