-- The locations, and the names that stops may have there, that contain a text.
CREATE OR REPLACE FUNCTION find_places(term text, most integer) RETURNS TABLE (location_id bigint, name text)
    LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 100
    SET search_path = public, pg_temp
    SET enable_seqscan = off
    SET enable_indexscan = off
    SET jit = off
    SET plan_cache_mode = force_custom_plan
AS $$
DECLARE
    pattern constant text := containing(term);
BEGIN
    RETURN QUERY
    (SELECT l.id, l.name FROM locations l WHERE l.org_id = current_org() AND l.name ILIKE pattern LIMIT most)
    UNION
    (SELECT n.location_id, n.name FROM location_names n
        WHERE n.org_id = current_org() AND n.name ILIKE pattern LIMIT most);
END
$$;

REVOKE EXECUTE ON FUNCTION find_places FROM PUBLIC;
GRANT EXECUTE ON FUNCTION find_places TO waybill_app;
