-- +goose Up
-- Why times of a plan are not those of roads, for programs: UNAVAILABLE, NO_DATA_FOR_CLASS or OUTSIDE_OF_REGIONS.
SET LOCAL lock_timeout = '2s';
ALTER TABLE plans ADD COLUMN travel_failure_code text;
