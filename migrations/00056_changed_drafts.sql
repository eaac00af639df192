-- +goose Up
-- Drafts that changed since some time, for those who follow them.
CREATE INDEX drafts_updated_idx ON drafts (org_id, updated_at);
