-- +goose Up
-- How long stops take: once for a visit, for each order, and for each unit of its goods. Null is unknown.
ALTER TABLE locations ADD COLUMN service_time jsonb;
ALTER TABLE order_types ADD COLUMN service_time jsonb;

-- How many minutes of a shift pass until its vehicle is loaded, where vehicles are loaded before the shift. Null
-- in a department is the organization's value, and in the organization that drivers load during the shift; a
-- department with -1 does so although the organization does not.
-- squawk-ignore prefer-bigint-over-int
ALTER TABLE organizations ADD COLUMN loading_minutes integer CHECK (loading_minutes BETWEEN 0 AND 1440);
-- squawk-ignore prefer-bigint-over-int
ALTER TABLE departments ADD COLUMN loading_minutes integer CHECK (loading_minutes BETWEEN -1 AND 1440);

-- How long the driver sets up between the arrival and the start, and whether the stop belongs to the visit of the
-- stop before it in the route. Until a route is planned again, each of its stops is a visit of its own.
ALTER TABLE plan_stops
    -- squawk-ignore prefer-bigint-over-int
    ADD COLUMN setup_seconds integer NOT NULL DEFAULT 0,
    ADD COLUMN joined        boolean NOT NULL DEFAULT false;
