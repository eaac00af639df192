-- +goose Up
-- Breaks of a workday after the first, as [{minutes, earliest, latest}] in minutes of the day. Null is none.
ALTER TABLE driver_workdays ADD COLUMN more_breaks jsonb;
ALTER TABLE driver_workday_rules ADD COLUMN more_breaks jsonb;
