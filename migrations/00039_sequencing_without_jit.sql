-- +goose Up
-- Where it may not scan, the planner thinks that the one row of the sequencer
-- costs ten thousand million; Postgres then compiled two tiny statements ten
-- times a second, which took a tenth of a second of a processor each time.
ALTER FUNCTION sequence_events(integer) SET jit = off;
