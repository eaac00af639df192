-- +goose Up
-- The location of a delivery at which a driver made a note, so that the next driver there reads it; null for what is no
-- such note. Earlier notes stay without one.
ALTER TABLE order_documentations ADD COLUMN note_location_id bigint;
