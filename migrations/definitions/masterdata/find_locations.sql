-- The first locations in which a text occurs. The function works as the owner of
-- the tables: under row-level security the planner may not ask an index for texts
-- that are alike, because the operator is not known to keep what it sees to
-- itself. So the function itself asks for the session's organization only.
CREATE OR REPLACE FUNCTION find_locations(term text, most integer) RETURNS SETOF bigint
    LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 1000
    SET search_path = public, pg_temp
    SET enable_seqscan = off
    SET enable_indexscan = off
    SET plan_cache_mode = force_custom_plan
    SET jit = off
AS $$
DECLARE
    pattern constant text := containing(term);
BEGIN
    RETURN QUERY SELECT l.id FROM locations l
    WHERE l.org_id = current_org() AND l.deleted_at IS NULL
      AND (l.name ILIKE pattern OR l.external_id ILIKE pattern OR l.address1 ILIKE pattern
          OR l.postal_code ILIKE pattern OR l.city ILIKE pattern)
    LIMIT most;
END
$$;

REVOKE EXECUTE ON FUNCTION find_locations FROM PUBLIC;
GRANT EXECUTE ON FUNCTION find_locations TO waybill_app;
