-- +goose Up
-- The regions of the installation: which build of which extract is in use. Its files are in the
-- folder name/version below WAYBILL_REGIONS_DIR, and its addresses are the source of its name in
-- place_sources. Only the owner of the tables writes it.
CREATE TABLE regions (
    name        text COLLATE "C" NOT NULL,
    version     text NOT NULL,
    west        double precision NOT NULL,
    south       double precision NOT NULL,
    east        double precision NOT NULL,
    north       double precision NOT NULL,
    fingerprint text NOT NULL,
    road_bytes  bigint NOT NULL,
    tile_bytes  bigint NOT NULL,
    attribution text NOT NULL,
    built_at    timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT regions_pkey PRIMARY KEY (name),
    CONSTRAINT regions_bounds_check CHECK (west < east AND south < north)
);
GRANT SELECT ON regions TO waybill_app;
