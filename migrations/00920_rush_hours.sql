-- +goose Up
-- When driving takes longer than the road data says, as [{days, from, until, factor, areas}]. Null is never.
ALTER TABLE organizations ADD COLUMN rush_hours jsonb;
