-- +goose Up
-- Recurring orders hear when the days of their organization begin at another
-- midnight.
INSERT INTO event_followers SELECT 'templates', last_position FROM event_sequencer;
