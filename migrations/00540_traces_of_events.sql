-- +goose Up
-- The trace in which an event was written, as in https://www.w3.org/TR/trace-context/. Those who
-- follow the log link their own traces to it.
SET LOCAL lock_timeout = '2s';
ALTER TABLE events ADD COLUMN trace text;
ALTER TABLE events ALTER COLUMN trace SET DEFAULT nullif(current_setting('app.trace', true), '');
