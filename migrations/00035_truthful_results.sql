-- +goose Up
-- A result says where its order stands, so that nobody takes an update of a
-- cancelled order for one that will be driven. reasons also keep what an import
-- that succeeded did not bring about.
ALTER TABLE import_results ADD COLUMN order_status_id smallint;
