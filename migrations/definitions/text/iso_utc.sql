CREATE OR REPLACE FUNCTION iso_utc(instant timestamptz) RETURNS text
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN to_char(instant AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');

COMMENT ON FUNCTION iso_utc IS 'An instant as the wire shows it: ISO 8601 in UTC, milliseconds.';
