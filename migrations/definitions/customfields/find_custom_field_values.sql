-- The orders before one that have a value of a field, the newest first. Like
-- find_orders_by_text, it works as the owner of the tables and asks for the session's
-- organization: below a policy the planner may not use the index.
CREATE OR REPLACE FUNCTION find_custom_field_values(definition bigint, wanted text, before bigint, most integer)
RETURNS TABLE (order_id bigint)
    LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 100
    SET search_path = public, pg_temp
    SET enable_seqscan = off
    SET enable_bitmapscan = off
    SET enable_sort = off
    SET jit = off
    SET plan_cache_mode = force_custom_plan
AS $$
BEGIN
    RETURN QUERY
    SELECT v.order_id FROM custom_field_values v
    WHERE v.org_id = current_org() AND v.definition_id = definition
      AND hashtextextended(v.value #>> '{}', 0) = hashtextextended(wanted, 0) AND v.value #>> '{}' = wanted
      AND v.order_id < before
    ORDER BY v.order_id DESC LIMIT most;
END
$$;

REVOKE EXECUTE ON FUNCTION find_custom_field_values FROM PUBLIC;
GRANT EXECUTE ON FUNCTION find_custom_field_values TO waybill_app;
