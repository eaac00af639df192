-- Deletes the unused rows of a table of master data and marks the used ones
-- inactive; either may be null. Returns how many rows that removed. Rights and
-- policies are those of whoever calls it.
CREATE OR REPLACE FUNCTION prune(master regclass, org bigint, unused bigint[], used bigint[]) RETURNS bigint
    LANGUAGE plpgsql
AS $$
DECLARE
    stamp text := '';
    deleted bigint;
    deactivated bigint;
BEGIN
    IF EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = master AND a.attname = 'updated_at' AND NOT a.attisdropped) THEN
        stamp := ', updated_at = now()';
    END IF;
    EXECUTE format('DELETE FROM %s WHERE org_id = $1 AND id = ANY ($2)', master) USING org, unused;
    GET DIAGNOSTICS deleted = ROW_COUNT;
    EXECUTE format('UPDATE %s SET is_active = false%s WHERE org_id = $1 AND id = ANY ($2) AND is_active', master, stamp)
        USING org, used;
    GET DIAGNOSTICS deactivated = ROW_COUNT;
    RETURN deleted + deactivated;
END
$$;

COMMENT ON FUNCTION prune IS 'Deletes unused master data and marks the used inactive.';
