-- +goose Up
-- What servers of travel times said, so that the same way is not asked again
-- for thirty days. A cell is a place to within about fifty metres.
CREATE TABLE travel_legs (
    org_id    bigint NOT NULL REFERENCES organizations (id),
    provider  text NOT NULL,
    profile   text NOT NULL,
    from_cell bigint NOT NULL,
    to_cell   bigint NOT NULL,
    seconds   integer NOT NULL CHECK (seconds >= 0),
    meters    integer NOT NULL CHECK (meters >= 0),
    found_at  timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT travel_legs_pkey PRIMARY KEY (org_id, provider, profile, from_cell, to_cell)
);
CREATE INDEX travel_legs_found_idx ON travel_legs (org_id, found_at);
SELECT guard_tenant('travel_legs');
