-- +goose Up
-- The version of the plan in which a stop came to the route of its driver. New times or
-- another sequence do not change it. Somebody who looked at the plan in that version or a
-- later one knows who has the order.
ALTER TABLE plan_stops ADD COLUMN version bigint NOT NULL DEFAULT 0;
