-- +goose Up
-- People walk through the export feed too: a walk is of whoever makes it, as events
-- name them, and ends no walk of another.
ALTER TABLE export_walks DROP CONSTRAINT export_walks_pkey, DROP CONSTRAINT export_walks_key_fkey, ADD COLUMN walker text;
UPDATE export_walks SET walker = 'key:' || key_id;
ALTER TABLE export_walks
    ALTER COLUMN walker SET NOT NULL,
    ALTER COLUMN key_id DROP NOT NULL,
    ADD CONSTRAINT export_walks_pkey PRIMARY KEY (org_id, walker);

-- The programs of v0.2.0 know key_id, see 00190_previous_release.sql.
CREATE UNIQUE INDEX export_walks_key_key ON export_walks (org_id, key_id);
-- +goose StatementBegin
CREATE FUNCTION name_walker() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.walker IS NULL THEN
        NEW.walker := 'key:' || NEW.key_id;
    ELSIF NEW.walker LIKE 'key:%' THEN
        NEW.key_id := substr(NEW.walker, 5)::bigint;
    END IF;
    RETURN NEW;
END
$$;
-- +goose StatementEnd
CREATE TRIGGER export_walks_name_walker BEFORE INSERT ON export_walks
    FOR EACH ROW EXECUTE FUNCTION name_walker();
