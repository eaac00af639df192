-- +goose Up
-- Counterfactuals that were computed before may exceed working time. They are computed again.
UPDATE plan_unplanned SET counterfactuals = NULL, help_drivers = NULL, help_until = NULL WHERE counterfactuals IS NOT NULL;
