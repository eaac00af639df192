-- +goose Up
-- An import that does not complete ends as failed or cancelled. What was done stays done;
-- the entries of the other chunks are dropped, so that nothing works on them later.
ALTER TABLE imports ADD COLUMN ended_at timestamptz, ADD COLUMN ended_as text;
ALTER TABLE imports ADD CONSTRAINT imports_ended_as_check CHECK (ended_as IN ('FAILED', 'CANCELLED')) NOT VALID;

-- The imports, of all organizations, that have been at work since before a moment.
-- +goose StatementBegin
CREATE FUNCTION living_imports(quiet_since timestamptz, after_org bigint, after_id bigint, batch integer)
RETURNS TABLE (org_id bigint, id bigint)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp
    SET enable_seqscan = off SET jit = off
AS $$
    SELECT i.org_id, i.id FROM imports i
    WHERE (i.org_id, i.id) > (after_org, after_id) AND i.completed_at IS NULL AND i.ended_at IS NULL
      AND i.created_at < quiet_since
    ORDER BY i.org_id, i.id LIMIT batch
$$;
-- +goose StatementEnd
REVOKE EXECUTE ON FUNCTION living_imports(timestamptz, bigint, bigint, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION living_imports(timestamptz, bigint, bigint, integer) TO waybill_app;
