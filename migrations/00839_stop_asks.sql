-- +goose Up
-- What a stop asks of the planner in addition to its window, and when a location is closed within its hours. Null is
-- nothing.
ALTER TABLE order_stops ADD COLUMN asks jsonb;
ALTER TABLE locations ADD COLUMN pauses jsonb;
