-- +goose Up
-- What limits vehicles in addition to weight and volume, as [{name, unit}], and amounts of it, as
-- [{dimension, amount}]. Null is none.
ALTER TABLE organizations ADD COLUMN load_dimensions jsonb;
ALTER TABLE vehicle_types ADD COLUMN max_loads jsonb;
ALTER TABLE vehicles ADD COLUMN max_loads jsonb;
ALTER TABLE order_products ADD COLUMN load_amounts jsonb;

-- The maximum load on board of a route, as [{dimension, unit, amount, max}].
ALTER TABLE plan_routes ADD COLUMN load_amounts jsonb NOT NULL DEFAULT '[]';
