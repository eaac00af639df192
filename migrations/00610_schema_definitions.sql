-- +goose Up
-- Functions, views and triggers are files in migrations/definitions, which waybill migrate
-- applies after the numbered migrations. This table says which texts it has applied.
CREATE TABLE schema_definitions (
    name       text NOT NULL,
    hash       text NOT NULL,
    applied_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    CONSTRAINT schema_definitions_pkey PRIMARY KEY (name, hash)
);
GRANT SELECT ON schema_definitions TO waybill_app;
COMMENT ON TABLE schema_definitions IS 'Which texts of functions, views and triggers were applied, and when last.';
COMMENT ON COLUMN schema_definitions.name IS 'What the definition creates, as "VIEW v1_orders".';
COMMENT ON COLUMN schema_definitions.hash IS 'The SHA-256 of its file, in hexadecimal.';
