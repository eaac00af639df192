-- The active calendars of an organization with their closed days, as one document.
CREATE OR REPLACE FUNCTION calendars_of(org bigint) RETURNS jsonb
    LANGUAGE sql STABLE
AS $$
    SELECT coalesce(jsonb_agg(jsonb_build_object('id', k.id, 'name', k.name, 'closed', k.closed) ORDER BY k.id), '[]')
    FROM calendars k WHERE k.org_id = org AND k.is_active
$$;

COMMENT ON FUNCTION calendars_of IS 'The active calendars of an organization, as one document.';
