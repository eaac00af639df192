-- +goose Up
-- Which release of the app a telephone has, and whether it keeps what the app has stored.
SET LOCAL lock_timeout = '2s';
ALTER TABLE sessions ADD COLUMN app_release text, ADD COLUMN storage_kept boolean;
