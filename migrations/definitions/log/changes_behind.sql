-- What was added to the log behind a position, of all organizations: which things have
-- changed, and nothing of what became of them. It serves those who watch a page as
-- they happen. The service serves everybody, so it goes round the policies.
CREATE OR REPLACE FUNCTION changes_behind(after bigint, batch integer)
RETURNS TABLE (org_id bigint, "position" bigint, kind text, subject_type text, subject_id bigint, order_id bigint, driver_id bigint)
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp SET jit = off
AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    SELECT e.org_id, e.position, e.kind, e.subject_type, e.subject_id, e.order_id, e.driver_id
    FROM events e
    WHERE e.position > changes_behind.after AND e.kind <> ''
    ORDER BY e.position
    LIMIT changes_behind.batch;
END
$$;

REVOKE EXECUTE ON FUNCTION changes_behind FROM PUBLIC;
GRANT EXECUTE ON FUNCTION changes_behind TO waybill_app;
