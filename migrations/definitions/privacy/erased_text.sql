-- A text without what matches a pattern.
CREATE OR REPLACE FUNCTION erased_text(body text, pattern text) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    RETURN regexp_replace(body, pattern, '[erased]', 'gi');
END
$$;
