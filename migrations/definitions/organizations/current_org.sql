CREATE OR REPLACE FUNCTION current_org() RETURNS bigint
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN nullif(current_setting('app.org_id', true), '')::bigint;

COMMENT ON FUNCTION current_org IS 'The organization of this session; null, so that nothing is visible, when none is named.';
