-- +goose Up
-- An organization may be suspended: its keys and people get no further than its feeds, and
-- nothing is sent for it, until it is resumed.
ALTER TABLE organizations ADD COLUMN suspended_at timestamptz;

-- What finds a caller, and what looks across all organizations, asks this.
-- +goose StatementBegin
CREATE FUNCTION is_suspended(org bigint) RETURNS boolean
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp
AS $$ SELECT EXISTS (SELECT FROM organizations o WHERE o.id = is_suspended.org AND o.suspended_at IS NOT NULL) $$;
-- +goose StatementEnd
REVOKE EXECUTE ON FUNCTION is_suspended(bigint) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION is_suspended(bigint) TO waybill_app;
