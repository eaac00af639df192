-- +goose Up
-- Plans that were forbidden to scan cost ten thousand million on paper, for which
-- Postgres would compile machine code: tens of milliseconds for the work of one.

ALTER FUNCTION sequence_events(integer) SET jit = off;
