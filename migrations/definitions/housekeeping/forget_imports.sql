-- Imports go whole, with their requests and results, as many as have batch entries
-- between them, and one at least: nobody ever sees half of one.
CREATE OR REPLACE FUNCTION forget_imports(before timestamptz, batch integer, dry boolean, OUT counted integer)
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
    SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off
AS $$
DECLARE
    orgs bigint[];
    ids  bigint[];
BEGIN
    SELECT array_agg(x.org_id ORDER BY x.n), array_agg(x.id ORDER BY x.n) INTO orgs, ids FROM (
        SELECT i.org_id, i.id, i.total, row_number() OVER w AS n, sum(i.total) OVER w AS entries
        FROM (SELECT m.* FROM imports m WHERE m.created_at < before ORDER BY m.created_at LIMIT batch) i
        WINDOW w AS (ORDER BY i.created_at, i.org_id, i.id)
    ) x WHERE dry OR x.entries - x.total < batch;
    IF NOT dry THEN
        DELETE FROM import_results r USING unnest(orgs, ids) AS k (org_id, id) WHERE r.org_id = k.org_id AND r.import_id = k.id;
        DELETE FROM import_chunks c USING unnest(orgs, ids) AS k (org_id, id) WHERE c.org_id = k.org_id AND c.import_id = k.id;
        DELETE FROM imports i USING unnest(orgs, ids) AS k (org_id, id) WHERE i.org_id = k.org_id AND i.id = k.id;
    END IF;
    counted := coalesce(cardinality(ids), 0);
END
$$;

REVOKE EXECUTE ON FUNCTION forget_imports FROM PUBLIC;
GRANT EXECUTE ON FUNCTION forget_imports TO waybill_app;
