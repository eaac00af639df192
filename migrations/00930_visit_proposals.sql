-- +goose Up
-- Proposals are about hours, or about how long visits take; each kind has one open.
SET LOCAL lock_timeout = '2s';
ALTER TABLE travel_proposals ADD COLUMN kind text NOT NULL DEFAULT 'HOURS',
    -- How long visits of locations and order types take, for the kind VISITS.
    ADD COLUMN visits jsonb NOT NULL DEFAULT '[]',
    ADD CONSTRAINT travel_proposals_kind_check CHECK (kind IN ('HOURS', 'VISITS')) NOT VALID;
