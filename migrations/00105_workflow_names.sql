-- +goose Up

-- What an organization is called in workflow IDs. It never changes: signals and
-- starts must find what runs. Organizations that are here already have workflows
-- that carry their number, so they keep it; those to come are called by their
-- slug. A slug that is itself a number could be the number of another one.
ALTER TABLE organizations ADD COLUMN workflow_name text;
UPDATE organizations SET workflow_name = id::text;

-- +goose StatementBegin
CREATE FUNCTION name_workflows() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.workflow_name := CASE WHEN NEW.slug ~ '^[0-9]+$' THEN NEW.id::text ELSE NEW.slug END;
    RETURN NEW;
END
$$;
-- +goose StatementEnd
CREATE TRIGGER organizations_workflow_name BEFORE INSERT ON organizations
    FOR EACH ROW EXECUTE FUNCTION name_workflows();
ALTER TABLE organizations ALTER COLUMN workflow_name SET NOT NULL,
    ADD CONSTRAINT organizations_workflow_name_key UNIQUE (workflow_name);
