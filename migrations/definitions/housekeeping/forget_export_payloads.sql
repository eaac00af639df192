-- A version that the carrier has acknowledged is needed until it has acknowledged a
-- newer one, or its export is closed for good. Its token and fingerprint stay.
CREATE OR REPLACE FUNCTION forget_export_payloads(before timestamptz, batch integer, dry boolean, OUT counted integer)
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
    SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off
AS $$
BEGIN
    WITH doomed AS MATERIALIZED (
        SELECT v.org_id, v.order_id, v.version FROM export_versions v
        CROSS JOIN LATERAL (
            SELECT FROM order_exports e WHERE e.org_id = v.org_id AND e.order_id = v.order_id
                AND (v.version < e.exported_version OR e.state = 'closed' AND e.reason <> 'left' AND e.updated_at < before)
            OFFSET 0) e
        WHERE v.offered_at < before AND v.payload <> '' ORDER BY v.offered_at LIMIT batch
    ), emptied AS (
        UPDATE export_versions v SET payload = '' FROM doomed d
        WHERE NOT dry AND v.org_id = d.org_id AND v.order_id = d.order_id AND v.version = d.version
    ) SELECT count(*) INTO counted FROM doomed;
END
$$;

REVOKE EXECUTE ON FUNCTION forget_export_payloads FROM PUBLIC;
GRANT EXECUTE ON FUNCTION forget_export_payloads TO waybill_app;
