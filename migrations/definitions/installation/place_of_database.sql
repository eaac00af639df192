-- Where the database is: the cluster and the database in it. What pg_restore makes is
-- elsewhere; a standby that takes over is not. It is empty where the host lets nobody ask.
CREATE OR REPLACE FUNCTION place_of_database() RETURNS text LANGUAGE plpgsql STABLE
AS $$
BEGIN
    RETURN (SELECT c.system_identifier FROM pg_control_system() c) || '/'
        || (SELECT d.oid FROM pg_database d WHERE d.datname = current_database());
EXCEPTION WHEN insufficient_privilege OR undefined_function THEN
    RETURN '';
END
$$;
