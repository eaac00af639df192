-- Of these keys of the object storage, returns those that no row refers to, archives among them.
-- A key names the row that would refer to it.
CREATE OR REPLACE FUNCTION unreferenced_files(keys text[]) RETURNS SETOF text
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp
AS $$
BEGIN
    RETURN QUERY SELECT k.key FROM (
        SELECT x.key, split_part(x.key, '/', 1)::bigint AS org, split_part(x.key, '/', 2) AS kind, split_part(x.key, '/', 3) AS name
        FROM unnest(keys) AS x (key)
        WHERE x.key ~ '^\d{1,18}/((documents/\d{1,18}|pictures/[0-9a-f]{64})/[A-Z2-7]+|archives/\d{4}-\d{2}/[A-Z2-7]+\.jsonl\.gz)$'
        OFFSET 0
    ) k
    WHERE NOT CASE k.kind WHEN 'documents' THEN EXISTS (
            SELECT FROM documents d WHERE d.org_id = k.org AND d.id = k.name::bigint AND d.storage_key = k.key)
        WHEN 'archives' THEN EXISTS (
            SELECT FROM order_archives a WHERE a.org_id = k.org AND a.month = (k.name || '-01')::date AND a.storage_key = k.key)
        ELSE EXISTS (
            SELECT FROM proof_pictures p WHERE p.org_id = k.org AND p.sha256 = decode(k.name, 'hex') AND p.storage_key = k.key)
        END;
END
$$;

REVOKE EXECUTE ON FUNCTION unreferenced_files FROM PUBLIC;
GRANT EXECUTE ON FUNCTION unreferenced_files TO waybill_app;
