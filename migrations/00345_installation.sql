-- +goose Up
-- An installation knows itself. Its one row says which installation this is, since when, and
-- how far it has come: the Temporal namespace keeps the same, so that a copy of the database
-- that meets the namespace of the original is found out. The canary is a known word, sealed:
-- a process that cannot open it has the wrong secret.
CREATE TABLE installation (
    is_only boolean PRIMARY KEY DEFAULT true CONSTRAINT installation_only_check CHECK (is_only),
    id uuid NOT NULL DEFAULT gen_random_uuid(),
    made_at timestamptz NOT NULL DEFAULT now(),
    turn bigint NOT NULL DEFAULT 1,
    turned_at timestamptz NOT NULL DEFAULT now(),
    canary bytea,
    canary_at timestamptz
);
INSERT INTO installation DEFAULT VALUES;
GRANT SELECT, UPDATE (turn, turned_at, canary, canary_at) ON installation TO waybill_app;

-- Where the database is: the cluster and the database in it. What pg_restore makes is
-- elsewhere; a standby that takes over is not. It is empty where the host lets nobody ask.
-- +goose StatementBegin
CREATE FUNCTION place_of_database() RETURNS text LANGUAGE plpgsql STABLE
AS $$
BEGIN
    RETURN (SELECT c.system_identifier FROM pg_control_system() c) || '/'
        || (SELECT d.oid FROM pg_database d WHERE d.datname = current_database());
EXCEPTION WHEN insufficient_privilege OR undefined_function THEN
    RETURN '';
END
$$;
-- +goose StatementEnd
