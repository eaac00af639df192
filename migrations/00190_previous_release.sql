-- +goose Up
-- The programs of v0.2.0 go on working with this schema while v0.3.0 is rolled out,
-- and can be started again instead of it. What only they use goes with the release
-- after v0.3.0, in a migration that raises oldest_program.

-- The schema version of the oldest program that works with this schema. Programs
-- compare their own with it.
CREATE TABLE schema_compatibility (
    singleton      boolean PRIMARY KEY DEFAULT true CHECK (singleton),
    oldest_program bigint NOT NULL
);
INSERT INTO schema_compatibility (oldest_program) VALUES (37);
GRANT SELECT ON schema_compatibility TO waybill_app;
COMMENT ON TABLE schema_compatibility IS 'Which programs work with this schema.';
COMMENT ON COLUMN schema_compatibility.oldest_program IS 'The latest migration that the oldest of them knows.';

-- v0.2.0 compares when an order was generated with when it was updated. What a later
-- release generates counts as written then. Both are the time of one transaction.
ALTER TABLE recurring_occurrences ADD COLUMN IF NOT EXISTS written_at timestamptz;
ALTER TABLE recurring_occurrences ALTER COLUMN written_at SET DEFAULT now();
COMMENT ON COLUMN recurring_occurrences.written_at IS 'For v0.2.0; to be dropped after v0.3.0.';

-- v0.2.0 names a walk by the key of its caller, later releases by the caller.
ALTER TABLE export_walks ADD COLUMN IF NOT EXISTS key_id bigint;
UPDATE export_walks SET key_id = substr(walker, 5)::bigint WHERE key_id IS NULL AND walker LIKE 'key:%';
-- The table is small: it has a row for each caller.
-- squawk-ignore require-concurrent-index-creation
CREATE UNIQUE INDEX IF NOT EXISTS export_walks_key_key ON export_walks (org_id, key_id);
COMMENT ON COLUMN export_walks.key_id IS 'For v0.2.0; to be dropped after v0.3.0, with export_walks_name_walker.';
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION name_walker() RETURNS trigger LANGUAGE plpgsql AS $$
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
CREATE OR REPLACE TRIGGER export_walks_name_walker BEFORE INSERT ON export_walks
    FOR EACH ROW EXECUTE FUNCTION name_walker();
