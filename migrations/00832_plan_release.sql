-- +goose Up
-- When the plans of a department are released: at a minute of a day, so many days before theirs; null is that only
-- people release them. After it, planning changes what saves at least the threshold.
SET LOCAL lock_timeout = '2s';
ALTER TABLE departments
    -- squawk-ignore prefer-bigint-over-smallint
    ADD COLUMN release_minute            smallint CHECK (release_minute BETWEEN 0 AND 1439),
    -- squawk-ignore prefer-bigint-over-smallint
    ADD COLUMN release_days_before       smallint NOT NULL DEFAULT 1 CHECK (release_days_before BETWEEN 0 AND 14),
    -- squawk-ignore prefer-bigint-over-smallint
    ADD COLUMN release_threshold_minutes smallint NOT NULL DEFAULT 10 CHECK (release_threshold_minutes BETWEEN 0 AND 1440);

-- released_changes counts how often the route of a driver became another one since then.
ALTER TABLE plans
    ADD COLUMN released_at      timestamptz,
    ADD COLUMN released_by      text,
    ADD COLUMN released_changes bigint NOT NULL DEFAULT 0;

-- What was released, for as long as its plan is there.
CREATE TABLE plan_released_stops (
    org_id     bigint NOT NULL,
    plan_id    bigint NOT NULL,
    order_id   bigint NOT NULL,
    kind       text NOT NULL CONSTRAINT plan_released_stops_kind_check CHECK (kind IN ('pickup', 'delivery')),
    driver_id  bigint NOT NULL,
    -- squawk-ignore prefer-bigint-over-int
    seq        integer NOT NULL,
    arrives_at timestamptz NOT NULL,
    starts_at  timestamptz NOT NULL,
    leaves_at  timestamptz NOT NULL,
    CONSTRAINT plan_released_stops_pkey PRIMARY KEY (org_id, plan_id, order_id, kind),
    CONSTRAINT plan_released_stops_org_fkey FOREIGN KEY (org_id) REFERENCES organizations (id),
    CONSTRAINT plan_released_stops_plan_fkey FOREIGN KEY (org_id, plan_id) REFERENCES plans (org_id, id) ON DELETE CASCADE,
    CONSTRAINT plan_released_stops_order_fkey FOREIGN KEY (org_id, order_id) REFERENCES orders (org_id, id) ON DELETE CASCADE,
    CONSTRAINT plan_released_stops_driver_fkey FOREIGN KEY (org_id, driver_id) REFERENCES drivers (org_id, id) ON DELETE CASCADE
);
-- The table is new, so nobody writes to it.
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX plan_released_stops_order_idx ON plan_released_stops (org_id, order_id);
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX plan_released_stops_driver_idx ON plan_released_stops (org_id, driver_id);

SELECT guard_tenant('plan_released_stops');
