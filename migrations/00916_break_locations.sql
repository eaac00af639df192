-- +goose Up
-- The locations of the breaks of a workday, in their order; 0 is anywhere. Null is all breaks anywhere.
ALTER TABLE driver_workdays ADD COLUMN break_location_ids bigint[];
ALTER TABLE driver_workday_rules ADD COLUMN break_location_ids bigint[];
