-- +goose Up
-- Whether carriers get the prices of orders. Those that got them until now still do.
ALTER TABLE organizations ADD COLUMN shipment_prices boolean NOT NULL DEFAULT true;
ALTER TABLE organizations ALTER COLUMN shipment_prices SET DEFAULT false;
