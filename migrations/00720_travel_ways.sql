-- +goose Up
-- The ways of legs along streets, as the server of travel times drew them, so that the same
-- leg is not asked for again for thirty days. A place is one to within about a meter. A leg
-- without a way has no polyline.
CREATE TABLE travel_ways (
    org_id     bigint NOT NULL REFERENCES organizations (id),
    provider   text NOT NULL,
    profile    text NOT NULL,
    from_place bigint NOT NULL,
    to_place   bigint NOT NULL,
    -- Encoded with a precision of 5 decimals.
    polyline   text CHECK (octet_length(polyline) BETWEEN 1 AND 65536),
    -- squawk-ignore prefer-bigint-over-int
    seconds    integer NOT NULL CHECK (seconds >= 0),
    -- squawk-ignore prefer-bigint-over-int
    meters     integer NOT NULL CHECK (meters >= 0),
    -- The version of the server's road data, or empty.
    version    text NOT NULL DEFAULT '',
    found_at   timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT travel_ways_pkey PRIMARY KEY (org_id, provider, profile, from_place, to_place)
);
-- The table is new, so building its index blocks nobody.
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX travel_ways_found_idx ON travel_ways (org_id, found_at);
SELECT guard_tenant('travel_ways');
