-- +goose Up
-- How much goes wrong on a day that a sandbox drives. Earlier runs had no trouble.
ALTER TABLE sandbox_runs ADD COLUMN trouble text NOT NULL DEFAULT 'NONE';
ALTER TABLE sandbox_runs ADD CONSTRAINT sandbox_runs_trouble_check CHECK (trouble IN ('NONE', 'USUAL', 'MUCH')) NOT VALID;
