-- +goose NO TRANSACTION
-- +goose Up
-- Nobody waits while this is made. One that was interrupted leaves an index that is not valid: run again, the migration
-- drops it first.
ALTER TABLE travel_proposals VALIDATE CONSTRAINT travel_proposals_kind_check;
DROP INDEX CONCURRENTLY IF EXISTS travel_proposals_open_kind_key;
CREATE UNIQUE INDEX CONCURRENTLY travel_proposals_open_kind_key ON travel_proposals (org_id, kind) WHERE state = 'OPEN';
DROP INDEX CONCURRENTLY IF EXISTS travel_proposals_open_key;
