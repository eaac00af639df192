-- +goose Up
-- How many travel times of a plan were guessed, and which drivers are left out of it,
-- each with the one who has the vehicle at the same time.
ALTER TABLE plans
    -- squawk-ignore prefer-bigint-over-int
    ADD COLUMN guessed_legs int NOT NULL DEFAULT 0,
    ADD COLUMN left_out jsonb NOT NULL DEFAULT '{}' CONSTRAINT plans_left_out_check CHECK (jsonb_typeof(left_out) = 'object');
