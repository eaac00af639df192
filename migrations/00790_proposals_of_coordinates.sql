-- +goose Up
-- What a proposed position corrects: the pin of an address, or the coordinates of a location or of
-- an order. The key of the latter two is a hash of what is corrected.
SET LOCAL lock_timeout = '2s';
ALTER TABLE place_proposals
    ADD COLUMN target text NOT NULL DEFAULT 'ADDRESS',
    ADD COLUMN location_id bigint,
    ADD CONSTRAINT place_proposals_target_check CHECK (target IN ('ADDRESS', 'LOCATION', 'ORDER')) NOT VALID;
