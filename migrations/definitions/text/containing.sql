-- A text as a pattern that finds it wherever it stands.
CREATE OR REPLACE FUNCTION containing(term text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN '%' || regexp_replace(term, '([\\%_])', '\\\1', 'g') || '%';
