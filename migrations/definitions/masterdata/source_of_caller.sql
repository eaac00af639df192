-- A record belongs to a document once one names it. Until then it belongs to
-- whoever made it: a key, a person at the console, or else the service itself,
-- which applies documents.
CREATE OR REPLACE FUNCTION source_of_caller() RETURNS text
    LANGUAGE sql STABLE
    RETURN CASE split_part(coalesce(current_setting('app.actor', true), ''), ':', 1)
        WHEN 'key' THEN 'api' WHEN 'user' THEN 'console' ELSE 'document' END;

COMMENT ON FUNCTION source_of_caller IS 'Where master data comes from that the caller makes.';
