-- +goose Up
-- The address register: reference data of the installation, which all organizations read and
-- only the owner of the tables writes. Streets are indexed, and addresses are not: a country
-- has a hundred times as many.
CREATE EXTENSION IF NOT EXISTS fuzzystrmatch;

-- A source is what one file of a register was loaded as. Sources of a lower rank win where
-- several know an address. A load is one run of the loading, and the ids of its streets lie
-- between load << 32 and the next one, so that a load can go as a whole.
CREATE TABLE place_sources (
    id          bigint GENERATED ALWAYS AS IDENTITY,
    name        text NOT NULL,
    format      text NOT NULL,
    rank        bigint NOT NULL,
    attribution text NOT NULL,
    fingerprint text NOT NULL,
    load        bigint NOT NULL,
    streets     bigint NOT NULL DEFAULT 0,
    addresses   bigint NOT NULL DEFAULT 0,
    towns       bigint NOT NULL DEFAULT 0,
    skipped     bigint NOT NULL DEFAULT 0,
    loaded_at   timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT place_sources_pkey PRIMARY KEY (id),
    CONSTRAINT place_sources_name_key UNIQUE (name)
);
CREATE SEQUENCE place_loads_seq;

-- A street with two names has two rows, one for each language, and points_id names the row
-- whose points they share. The keys are made by domain/place. The tables are new, so building
-- their indexes blocks nobody.
CREATE TABLE streets (
    id            bigint NOT NULL,
    points_id     bigint NOT NULL,
    source_id     bigint NOT NULL,
    country       text COLLATE "C" NOT NULL,
    postal_code   text COLLATE "C" NOT NULL,
    city          text NOT NULL,
    town_key      text COLLATE "C" NOT NULL,
    name          text NOT NULL,
    second_name   text NOT NULL,
    plain         text COLLATE "C" NOT NULL,
    key           text COLLATE "C" NOT NULL,
    plain_letters bigint NOT NULL,
    key_letters   bigint NOT NULL,
    -- squawk-ignore prefer-bigint-over-int
    deletions     integer[] NOT NULL,
    addresses     bigint NOT NULL,
    latitude      double precision NOT NULL,
    longitude     double precision NOT NULL,
    CONSTRAINT streets_pkey PRIMARY KEY (id)
);
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX streets_key_idx ON streets (country, key, town_key);
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX streets_town_idx ON streets (country, town_key);
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX streets_postal_code_idx ON streets (country, postal_code);
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX streets_plain_idx ON streets (country, plain);
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX streets_deletions_idx ON streets USING gin (deletions) WITH (fastupdate = off);

-- The points have no foreign key: checking it for each of some millions of rows would take
-- longer than loading them, and a load writes and deletes a street with its points.
CREATE TABLE address_points (
    street_id bigint NOT NULL,
    latitude  double precision NOT NULL,
    longitude double precision NOT NULL,
    -- squawk-ignore prefer-bigint-over-int
    number    integer NOT NULL,
    guessed   boolean NOT NULL,
    letter    text COLLATE "C" NOT NULL,
    CONSTRAINT address_points_pkey PRIMARY KEY (street_id, number, letter)
);

-- Towns with each of their postal codes, and once without one.
CREATE TABLE towns (
    source_id   bigint NOT NULL,
    country     text COLLATE "C" NOT NULL,
    postal_code text COLLATE "C" NOT NULL,
    town_key    text COLLATE "C" NOT NULL,
    city        text NOT NULL,
    key_letters bigint NOT NULL,
    addresses   bigint NOT NULL,
    latitude    double precision NOT NULL,
    longitude   double precision NOT NULL,
    CONSTRAINT towns_pkey PRIMARY KEY (source_id, country, postal_code, town_key)
);
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX towns_postal_code_idx ON towns (country, postal_code);
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX towns_key_idx ON towns (country, town_key) WHERE postal_code = '';

-- Loads under way, so that one that was interrupted can be resumed. A crash of Postgres empties
-- the staged points and this table alike.
CREATE UNLOGGED TABLE place_loads (
    load        bigint NOT NULL,
    source      text NOT NULL,
    fingerprint text NOT NULL,
    staged      bigint NOT NULL DEFAULT 0,
    started_at  timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT place_loads_pkey PRIMARY KEY (load),
    CONSTRAINT place_loads_source_key UNIQUE (source)
);

GRANT SELECT ON place_sources, streets, address_points, towns TO waybill_app;
