-- +goose Up
-- People walk through the export feed too: a walk is of whoever makes it, as events
-- name them, and ends no walk of another.
ALTER TABLE export_walks DROP CONSTRAINT export_walks_pkey, DROP CONSTRAINT export_walks_key_fkey, ADD COLUMN walker text;
UPDATE export_walks SET walker = 'key:' || key_id;
ALTER TABLE export_walks
    ALTER COLUMN walker SET NOT NULL,
    DROP COLUMN key_id,
    ADD CONSTRAINT export_walks_pkey PRIMARY KEY (org_id, walker);
