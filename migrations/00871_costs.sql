-- +goose Up
-- What the shifts of an organization cost, and what overtime is allowed, as {per_shift, per_hour, per_km,
-- overtime_minutes, overtime_price, other_driver_minutes, outside_territory_minutes}. Null is nothing.
ALTER TABLE organizations ADD COLUMN costs jsonb;

-- What a type of vehicle costs, where that differs from its organization. Null is the organization's price.
ALTER TABLE vehicle_types
    ADD COLUMN cost_per_shift numeric,
    ADD COLUMN cost_per_hour  numeric,
    ADD COLUMN cost_per_km    numeric;

-- What a route costs, by what for. Null is a route that an earlier release planned.
ALTER TABLE plan_routes ADD COLUMN costs jsonb;
