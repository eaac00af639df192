-- +goose Up
-- Rows that change with each tap of a driver keep their page, so that no index has to follow.
ALTER TABLE live_etas SET (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02);
ALTER TABLE plan_stops SET (fillfactor = 60, autovacuum_vacuum_scale_factor = 0.02);
