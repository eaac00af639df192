-- +goose Up
-- What a carrier told last is soon found.
CREATE INDEX external_updates_carrier_idx ON external_updates (org_id, carrier, id) WHERE carrier IS NOT NULL;
