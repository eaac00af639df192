-- +goose Up
-- What an order asks of the planner, and which kinds of goods must not travel together. Null is nothing.
ALTER TABLE orders ADD COLUMN asks jsonb;
ALTER TABLE organizations ADD COLUMN goods_apart jsonb;
