-- +goose Up
SET LOCAL lock_timeout = '2s';
ALTER TABLE departments VALIDATE CONSTRAINT departments_calendar_fkey;
ALTER TABLE customers VALIDATE CONSTRAINT customers_calendar_fkey;
ALTER TABLE locations VALIDATE CONSTRAINT locations_calendar_fkey;
