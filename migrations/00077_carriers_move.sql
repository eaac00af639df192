-- +goose Up
-- Whether what carriers report of orders that were exported to them moves those:
-- no driver of ours ever will.
ALTER TABLE organizations ADD COLUMN carrier_moves_status boolean NOT NULL DEFAULT true;
