CREATE OR REPLACE FUNCTION name_workflows() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.workflow_name := CASE WHEN NEW.slug ~ '^[0-9]+$' THEN NEW.id::text ELSE NEW.slug END;
    RETURN NEW;
END
$$;
