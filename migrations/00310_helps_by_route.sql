-- +goose Up
-- The drivers whose routes prove what would help an order, and until when they do. Null is
-- not known: such a help goes with the next change of any route.
ALTER TABLE plan_unplanned ADD COLUMN help_drivers bigint[], ADD COLUMN help_until timestamptz;

-- The version of the plan in which somebody asked for a fresh start last.
ALTER TABLE plans ADD COLUMN fresh_version bigint NOT NULL DEFAULT 0;
