-- +goose Up
-- How often recipients have chosen the time of the delivery themselves.
ALTER TABLE delivery_promises ADD COLUMN chosen bigint NOT NULL DEFAULT 0;
