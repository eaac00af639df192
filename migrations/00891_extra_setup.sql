-- +goose Up
-- How many seconds longer vehicles of a type take to set up at each visit.
-- squawk-ignore prefer-bigint-over-int
ALTER TABLE vehicle_types ADD COLUMN extra_setup_seconds integer NOT NULL DEFAULT 0 CHECK (extra_setup_seconds BETWEEN 0 AND 3600);
