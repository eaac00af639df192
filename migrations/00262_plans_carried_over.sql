-- +goose Up
-- How many commits of a plan were made again because something that they depend on changed
-- while the plan was made.
ALTER TABLE plans ADD COLUMN carried_over bigint NOT NULL DEFAULT 0;
