-- Pictures that nothing has named for long. Only those that became old enough within
-- the last two weeks are looked at: the named ones among them stay for years.
CREATE OR REPLACE FUNCTION forget_pictures(before timestamptz, batch integer, dry boolean, OUT counted integer)
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
    SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off
AS $$
BEGIN
    WITH doomed AS MATERIALIZED (
        SELECT p.org_id, p.sha256 FROM proof_pictures p
        WHERE p.arrived_at < before AND p.arrived_at >= before - interval '14 days'
          AND NOT EXISTS (SELECT FROM completion_proof_images i WHERE i.org_id = p.org_id AND i.sha256 = p.sha256)
          AND NOT EXISTS (SELECT FROM completion_proofs c WHERE c.org_id = p.org_id AND c.signature_sha256 = p.sha256)
          AND NOT EXISTS (SELECT FROM driver_actions a WHERE a.type = 'FAIL'
              AND a.data -> 'pictures' ? encode(p.sha256, 'hex') AND a.org_id = p.org_id)
        ORDER BY p.arrived_at LIMIT batch
    ), gone AS (
        DELETE FROM proof_pictures p USING doomed d WHERE NOT dry AND p.org_id = d.org_id AND p.sha256 = d.sha256
    ) SELECT count(*) INTO counted FROM doomed;
END
$$;

REVOKE EXECUTE ON FUNCTION forget_pictures FROM PUBLIC;
GRANT EXECUTE ON FUNCTION forget_pictures TO waybill_app;
