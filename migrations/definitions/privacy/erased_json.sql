-- The same of a document that is kept as a text, whatever it is.
CREATE OR REPLACE FUNCTION erased_json(body text, pattern text) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    RETURN erased_document(body::jsonb, pattern)::text;
EXCEPTION WHEN data_exception THEN
    RETURN erased_text(body, pattern);
END
$$;
