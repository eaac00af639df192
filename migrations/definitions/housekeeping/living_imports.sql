-- The imports, of all organizations, that have been at work since before a moment.
CREATE OR REPLACE FUNCTION living_imports(quiet_since timestamptz, after_org bigint, after_id bigint, batch integer)
RETURNS TABLE (org_id bigint, id bigint)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp
    SET enable_seqscan = off SET jit = off
AS $$
    SELECT i.org_id, i.id FROM imports i
    WHERE (i.org_id, i.id) > (after_org, after_id) AND i.completed_at IS NULL AND i.ended_at IS NULL
      AND i.created_at < quiet_since
    ORDER BY i.org_id, i.id LIMIT batch
$$;

REVOKE EXECUTE ON FUNCTION living_imports FROM PUBLIC;
GRANT EXECUTE ON FUNCTION living_imports TO waybill_app;
