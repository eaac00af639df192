-- +goose Up
-- How many times as long as others a driver takes on the road, and for visits. Null is as long.
SET LOCAL lock_timeout = '2s';
ALTER TABLE drivers ADD COLUMN driving_factor double precision, ADD COLUMN visit_factor double precision;
-- Proposals are about drivers, too: [{driverId, drivingFactor, visitFactor, …}].
ALTER TABLE travel_proposals ADD COLUMN drivers jsonb NOT NULL DEFAULT '[]';
-- The new constraint allows all that the old one does.
-- squawk-ignore ban-drop-constraint
ALTER TABLE travel_proposals DROP CONSTRAINT travel_proposals_kind_check;
ALTER TABLE travel_proposals
    ADD CONSTRAINT travel_proposals_kind_check CHECK (kind IN ('HOURS', 'VISITS', 'DRIVERS')) NOT VALID;
