-- +goose Up
-- The calendar that a customer keeps. Null is none.
SET LOCAL lock_timeout = '2s';
ALTER TABLE customers
    ADD COLUMN calendar_id bigint,
    ADD CONSTRAINT customers_calendar_fkey FOREIGN KEY (org_id, calendar_id) REFERENCES calendars (org_id, id) NOT VALID;
