-- +goose Up
-- What decides which roads a type of vehicle may use. Null is unknown, and then no road is refused for it.
ALTER TABLE vehicle_types
    ADD COLUMN height_m        numeric CHECK (height_m > 0),
    ADD COLUMN width_m         numeric CHECK (width_m > 0),
    ADD COLUMN length_m        numeric CHECK (length_m > 0),
    ADD COLUMN gross_weight_kg numeric CHECK (gross_weight_kg > 0),
    ADD COLUMN axle_load_kg    numeric CHECK (axle_load_kg > 0),
    ADD COLUMN top_speed_kmh   numeric CHECK (top_speed_kmh > 0),
    ADD COLUMN hazardous_goods boolean NOT NULL DEFAULT false,
    ADD COLUMN avoids_ferries  boolean NOT NULL DEFAULT false,
    ADD COLUMN avoids_tolls    boolean NOT NULL DEFAULT false;
