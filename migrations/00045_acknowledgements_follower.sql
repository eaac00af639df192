-- +goose Up
-- Workflows of exports learn from the log what carriers acknowledge.
INSERT INTO event_followers SELECT 'acknowledgements', last_position FROM event_sequencer;
