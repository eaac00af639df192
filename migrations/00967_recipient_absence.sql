-- +goose Up
-- Whether the recipient says that nobody will be at home.
ALTER TABLE recipient_instructions ADD COLUMN absent boolean NOT NULL DEFAULT false;
