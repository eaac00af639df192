-- +goose Up
-- Whether vehicles stop on the side of the street where the location is.
ALTER TABLE locations ADD COLUMN curbside boolean NOT NULL DEFAULT false;
-- Whether the plan has the vehicle stop on that side.
ALTER TABLE plan_stops ADD COLUMN curbside boolean NOT NULL DEFAULT false;
