-- +goose Up
-- What drivers drove between stops, as the server of road data matched their positions to
-- streets. A row is a leg: from the end of a stop, or of the start of the route, to the end of
-- the next one. It goes with the positions.
CREATE TABLE driven_legs (
    org_id     bigint NOT NULL REFERENCES organizations (id),
    driver_id  bigint NOT NULL,
    day        date NOT NULL,
    from_at    timestamptz NOT NULL,
    until_at   timestamptz NOT NULL,
    -- How many positions were matched: a leg with more is matched again.
    -- squawk-ignore prefer-bigint-over-int
    positions  integer NOT NULL CHECK (positions >= 0),
    -- The parts in the order of time, each with polyline, from, until, meters, matched and
    -- confidence; none where nobody moved, or no position is known.
    ways       jsonb NOT NULL CHECK (jsonb_typeof(ways) = 'array'),
    meters     bigint NOT NULL CHECK (meters >= 0),
    -- Whether all parts are along streets, and the lowest confidence of those that are.
    matched    boolean NOT NULL,
    confidence double precision CHECK (confidence BETWEEN 0 AND 1),
    -- How often the server failed in a row, and when it is asked again; null is never.
    -- squawk-ignore prefer-bigint-over-int
    failures   integer NOT NULL DEFAULT 0 CHECK (failures >= 0),
    again_at   timestamptz,
    matched_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT driven_legs_pkey PRIMARY KEY (org_id, driver_id, day, from_at),
    CONSTRAINT driven_legs_driver_fkey FOREIGN KEY (org_id, driver_id) REFERENCES drivers (org_id, id) ON DELETE CASCADE,
    CONSTRAINT driven_legs_leads_on CHECK (until_at > from_at)
);
-- The table is new, so building its index blocks nobody.
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX driven_legs_until_idx ON driven_legs (org_id, driver_id, until_at);
SELECT guard_tenant('driven_legs');
