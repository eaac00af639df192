-- +goose Up
-- What geocoding providers answered, and which organizations have addresses to place again.
SET LOCAL lock_timeout = '2s';

-- Whether addresses of the organization may be sent to the provider.
ALTER TABLE organizations ADD COLUMN ask_geocoder boolean NOT NULL DEFAULT true;

-- Each address that a provider was asked for, by the key of domain/place. It has no text of the
-- address. Without a time of the answer, it was asked and nobody knows what the answer was.
CREATE TABLE place_answers (
    org_id      bigint NOT NULL,
    key         bytea NOT NULL,
    provider    text NOT NULL,
    asked       bigint NOT NULL DEFAULT 1,
    asked_at    timestamptz NOT NULL DEFAULT now(),
    answered_at timestamptz,
    expires_at  timestamptz NOT NULL,
    -- One of package place; empty if the provider does not know the address.
    precision   text COLLATE "C" NOT NULL DEFAULT '',
    latitude    double precision,
    longitude   double precision,
    CONSTRAINT place_answers_pkey PRIMARY KEY (org_id, key),
    CONSTRAINT place_answers_org_fkey FOREIGN KEY (org_id) REFERENCES organizations (id)
);
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX place_answers_expires_idx ON place_answers (expires_at);
SELECT guard_tenant('place_answers');

-- How often somebody asked to look after the addresses of an organization, and how far that was
-- done. A changed register is applied once all transactions have ended that may have read the
-- earlier one; the orders are then placed in the order of their ids.
CREATE TABLE place_work (
    org_id       bigint NOT NULL,
    wanted       bigint NOT NULL DEFAULT 1,
    done         bigint NOT NULL DEFAULT 0,
    register_xid xid8,
    placed_order bigint NOT NULL DEFAULT 0,
    waiting      bigint NOT NULL DEFAULT 0,
    updated_at   timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT place_work_pkey PRIMARY KEY (org_id),
    CONSTRAINT place_work_org_fkey FOREIGN KEY (org_id) REFERENCES organizations (id)
);
SELECT guard_tenant('place_work');

-- Addresses whose pin was moved, until all transactions have ended that may have read the
-- earlier one.
CREATE TABLE place_moves (
    org_id bigint NOT NULL,
    key    bytea NOT NULL,
    xid    xid8 NOT NULL,
    CONSTRAINT place_moves_pkey PRIMARY KEY (org_id, key),
    CONSTRAINT place_moves_org_fkey FOREIGN KEY (org_id) REFERENCES organizations (id)
);
SELECT guard_tenant('place_moves');

-- The follower begins where that of plans is.
INSERT INTO event_followers (name, position) SELECT 'places', f.position FROM event_followers f WHERE f.name = 'planning';
INSERT INTO event_cursors (follower, shard, position)
SELECT 'places', c.shard, c.position FROM event_cursors c WHERE c.follower = 'planning';
