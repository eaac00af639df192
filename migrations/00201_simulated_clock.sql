-- +goose Up
-- The clock of a simulated day: at clock_since it shows clock_from, when the first route
-- of the day begins by the plan, and from then on it runs at the pace of the run. Both
-- are null until somebody sets out.
ALTER TABLE sandbox_runs ADD COLUMN clock_from timestamptz, ADD COLUMN clock_since timestamptz,
    -- Runs are few.
    -- squawk-ignore constraint-missing-not-valid
    ADD CONSTRAINT sandbox_runs_clock_check CHECK ((clock_from IS NULL) = (clock_since IS NULL));
