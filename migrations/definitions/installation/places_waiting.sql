-- How many addresses of all organizations wait for an answer of the geocoding provider.
CREATE OR REPLACE FUNCTION places_waiting() RETURNS bigint
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp
AS $$
    SELECT coalesce(sum(w.waiting), 0)::bigint FROM place_work w
$$;

REVOKE EXECUTE ON FUNCTION places_waiting FROM PUBLIC;
GRANT EXECUTE ON FUNCTION places_waiting TO waybill_app;
