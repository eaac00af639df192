-- +goose Up
-- The vehicle type that imports come to, where somebody gave the order another
-- one: as long as they come to the same, they take nothing back.
ALTER TABLE orders ADD COLUMN replaced_vehicle_type_id bigint;
