-- +goose Up
-- Whether driving, docks and drivers of a simulated day differ from the plan, as they do on real ones.
SET LOCAL lock_timeout = '2s';
ALTER TABLE sandbox_runs ADD COLUMN realistic boolean NOT NULL DEFAULT false;
