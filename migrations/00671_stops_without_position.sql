-- +goose NO TRANSACTION
-- +goose Up
-- The stops that a changed register may place. Built while everybody writes; what an interrupted
-- run left is dropped first.
SET lock_timeout = '10min';

DROP INDEX CONCURRENTLY IF EXISTS order_stops_unplaced_idx;
CREATE INDEX CONCURRENTLY order_stops_unplaced_idx ON order_stops (org_id, order_id)
    WHERE latitude IS NULL AND position IS NULL;
