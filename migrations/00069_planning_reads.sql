-- +goose Up
-- Planning guesses where a stop is from the known places of its postal code.
CREATE INDEX locations_postal_place_idx ON locations (org_id, postal_code, id) WHERE latitude IS NOT NULL;
