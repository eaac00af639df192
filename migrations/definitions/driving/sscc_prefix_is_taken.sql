-- Whether another organization draws codes with a prefix, or with one that begins like
-- it: their codes could be the same. GS1 keeps 952 for demonstrations, so those may be
-- shared. Whoever asks is alone with that until the transaction ends.
CREATE OR REPLACE FUNCTION sscc_prefix_is_taken(prefix text) RETURNS boolean
    LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp
AS $$
BEGIN
    IF starts_with(prefix, '952')
        OR EXISTS (SELECT FROM organizations o WHERE o.id = current_org() AND o.sscc_prefix = prefix) THEN
        RETURN false;
    END IF;
    PERFORM pg_advisory_xact_lock(hashtext('waybill.sscc_prefixes'));
    RETURN EXISTS (SELECT FROM organizations o WHERE o.id <> current_org()
        AND (starts_with(o.sscc_prefix, prefix) OR starts_with(prefix, o.sscc_prefix)));
END
$$;

REVOKE EXECUTE ON FUNCTION sscc_prefix_is_taken FROM PUBLIC;
GRANT EXECUTE ON FUNCTION sscc_prefix_is_taken TO waybill_app;
