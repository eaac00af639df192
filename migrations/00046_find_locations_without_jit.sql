-- +goose Up
-- As of sequence_events: what may not scan is not compiled at each call.
ALTER FUNCTION find_locations(text, integer) SET jit = off;
