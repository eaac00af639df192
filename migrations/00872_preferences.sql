-- +goose Up
-- Which customers and locations a driver should serve, and where, as {customers, locations, territory}: ids, and areas
-- of postal codes as those of zones. Null is no preference.
ALTER TABLE drivers ADD COLUMN preferences jsonb;
