-- +goose Up
-- The calendar that a location keeps. Null is none.
SET LOCAL lock_timeout = '2s';
ALTER TABLE locations
    ADD COLUMN calendar_id bigint,
    ADD CONSTRAINT locations_calendar_fkey FOREIGN KEY (org_id, calendar_id) REFERENCES calendars (org_id, id) NOT VALID;
