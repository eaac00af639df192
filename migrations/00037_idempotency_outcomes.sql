-- +goose Up
-- What an attempt did is kept in the transaction that does it. When its answer
-- is lost, the next attempt answers from that, and does nothing again.

ALTER TABLE idempotency_keys ADD COLUMN outcome bytea;
