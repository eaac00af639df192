-- +goose NO TRANSACTION
-- +goose Up
-- Housekeeping asks for those of an age, and a phone that sends one for those of a day.
DROP INDEX CONCURRENTLY IF EXISTS proof_pictures_arrived_idx;
CREATE INDEX CONCURRENTLY proof_pictures_arrived_idx ON proof_pictures (arrived_at);
DROP INDEX CONCURRENTLY IF EXISTS proof_pictures_driver_idx;
CREATE INDEX CONCURRENTLY proof_pictures_driver_idx ON proof_pictures (org_id, driver_id, arrived_at);
