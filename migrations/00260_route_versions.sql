-- +goose Up
-- The version of the plan in which a route last got other stops or another sequence of
-- them. New times alone do not change it. Somebody who looked at the plan in that version
-- or a later one has seen the route as it is.
ALTER TABLE plan_routes ADD COLUMN version bigint NOT NULL DEFAULT 0;
