CREATE OR REPLACE FUNCTION clock_text(minute smallint) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN to_char(make_interval(mins => minute::int), 'HH24:MI');

COMMENT ON FUNCTION clock_text IS 'A minute of the day as HH:MM.';
