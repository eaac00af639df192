-- A number that only places within about a meter share.
CREATE OR REPLACE FUNCTION place_number(latitude double precision, longitude double precision) RETURNS bigint
    LANGUAGE sql IMMUTABLE
AS $$
    SELECT (round(latitude * 100000)::bigint << 32) | (round(longitude * 100000)::bigint & 4294967295)
$$;
