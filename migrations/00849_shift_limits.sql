-- +goose Up
-- How many places a driver goes to in a shift at most, and how long the driver drives. All limits that are set apply,
-- so the narrowest counts. Null is no limit.
-- squawk-ignore prefer-bigint-over-int
ALTER TABLE organizations ADD COLUMN max_stops integer CHECK (max_stops BETWEEN 1 AND 1000);
-- squawk-ignore prefer-bigint-over-int
ALTER TABLE organizations ADD COLUMN max_driving_minutes integer CHECK (max_driving_minutes BETWEEN 1 AND 1440);
-- squawk-ignore prefer-bigint-over-int
ALTER TABLE vehicle_types ADD COLUMN max_stops integer CHECK (max_stops BETWEEN 1 AND 1000);
-- squawk-ignore prefer-bigint-over-int
ALTER TABLE vehicle_types ADD COLUMN max_driving_minutes integer CHECK (max_driving_minutes BETWEEN 1 AND 1440);
-- squawk-ignore prefer-bigint-over-int
ALTER TABLE driver_workdays ADD COLUMN max_stops integer CHECK (max_stops BETWEEN 1 AND 1000);
-- squawk-ignore prefer-bigint-over-int
ALTER TABLE driver_workdays ADD COLUMN max_driving_minutes integer CHECK (max_driving_minutes BETWEEN 1 AND 1440);
