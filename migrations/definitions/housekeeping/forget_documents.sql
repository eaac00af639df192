-- Documents of which the bytes never came, and those that nothing refers to. The
-- bytes follow: then nothing refers to them. Those that something refers to are not
-- looked at again, so that seen may be more than what goes.
CREATE OR REPLACE FUNCTION forget_documents(before timestamptz, batch integer, dry boolean, OUT counted integer, OUT seen integer)
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
    SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off
AS $$
BEGIN
    WITH found AS MATERIALIZED (
        SELECT d.org_id, d.id,
            EXISTS (SELECT FROM order_documents a WHERE a.org_id = d.org_id AND a.document_id = d.id)
            OR EXISTS (SELECT FROM draft_documents a WHERE a.org_id = d.org_id AND a.document_id = d.id) AS held
        FROM documents d WHERE d.loose_since < before ORDER BY d.loose_since LIMIT batch FOR UPDATE SKIP LOCKED
    ), kept AS (
        UPDATE documents d SET loose_since = NULL FROM found s WHERE NOT dry AND s.held AND d.org_id = s.org_id AND d.id = s.id
    ), gone AS (
        DELETE FROM documents d USING found s WHERE NOT dry AND NOT s.held AND d.org_id = s.org_id AND d.id = s.id
    ) SELECT count(*) FILTER (WHERE NOT held), count(*) INTO counted, seen FROM found;
END
$$;

REVOKE EXECUTE ON FUNCTION forget_documents FROM PUBLIC;
GRANT EXECUTE ON FUNCTION forget_documents TO waybill_app;
