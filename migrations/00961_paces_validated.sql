-- +goose Up
SET LOCAL lock_timeout = '2s';
ALTER TABLE travel_proposals VALIDATE CONSTRAINT travel_proposals_kind_check;
