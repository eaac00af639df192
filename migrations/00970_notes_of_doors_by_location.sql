-- +goose NO TRANSACTION
-- +goose Up
-- Nobody waits while this is made. One that was interrupted leaves an index that is not valid: run again, the migration
-- drops it first.
DROP INDEX CONCURRENTLY IF EXISTS order_documentations_note_location_idx;
CREATE INDEX CONCURRENTLY order_documentations_note_location_idx ON order_documentations (org_id, note_location_id, id)
    WHERE note_location_id IS NOT NULL;
