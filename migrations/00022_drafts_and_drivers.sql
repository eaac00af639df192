-- +goose Up
-- Drafts are listed by state, and drivers get what managing them needs: how
-- the caller calls them, how to reach them, and the days on which they work.

-- The lists of drafts, all and by state, each read behind a cursor.
CREATE INDEX drafts_state_idx ON drafts (org_id, state, id);

ALTER TABLE drivers
    ADD COLUMN external_id   text,
    ADD COLUMN email_address text,
    ADD COLUMN created_at    timestamptz NOT NULL DEFAULT now(),
    ADD COLUMN updated_at    timestamptz NOT NULL DEFAULT now(),
    ADD CONSTRAINT drivers_external_id_key UNIQUE (org_id, external_id);

-- Which active orders a driver has is asked before one leaves.
CREATE INDEX orders_driver_idx ON orders (org_id, driver_id) WHERE driver_id IS NOT NULL;

-- One working day of a driver, in minutes of the day in the organization's
-- time zone; a day that ends before it starts ends on the next one.
CREATE TABLE driver_workdays (
    org_id    bigint NOT NULL REFERENCES organizations (id),
    driver_id bigint NOT NULL,
    date      date NOT NULL,
    starts    smallint NOT NULL CHECK (starts BETWEEN 0 AND 1440),
    ends      smallint NOT NULL CHECK (ends BETWEEN 0 AND 1440),
    CONSTRAINT driver_workdays_pkey PRIMARY KEY (org_id, driver_id, date),
    CONSTRAINT driver_workdays_hours_check CHECK (starts <> ends),
    CONSTRAINT driver_workdays_driver_fkey FOREIGN KEY (org_id, driver_id) REFERENCES drivers (org_id, id) ON DELETE CASCADE
);

SELECT guard_tenant('driver_workdays');
