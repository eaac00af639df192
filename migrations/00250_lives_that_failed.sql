-- +goose Up
-- How many of the workflows that a duty looks after have failed: failed is from the last
-- look at all of them, counting from the one that is under way.
ALTER TABLE housekeeping_marks
    ADD COLUMN failed bigint NOT NULL DEFAULT 0,
    ADD COLUMN counting bigint NOT NULL DEFAULT 0;
