CREATE OR REPLACE FUNCTION create_builtin_roles() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
AS $$
BEGIN
    INSERT INTO roles (org_id, name, base, is_builtin)
    SELECT NEW.id, b.name, b.name, true FROM unnest(ARRAY['admin', 'dispatcher', 'support', 'driver']) AS b (name);
    RETURN NEW;
END
$$;

REVOKE EXECUTE ON FUNCTION create_builtin_roles FROM PUBLIC;
