-- +goose Up
-- The rule for driving time that applies to a type of vehicle, by its name. The rules are data of the program; null is
-- none.
ALTER TABLE vehicle_types ADD COLUMN driving_rule text;

-- All breaks of a route whose driver has a rule, as [{starts, ends}], and how long the driver may still drive after
-- it; break_starts_at is the next of them. Null is without a rule.
ALTER TABLE plan_routes
    ADD COLUMN breaks               jsonb NOT NULL DEFAULT '[]',
    -- squawk-ignore prefer-bigint-over-int
    ADD COLUMN driving_left_seconds integer;
