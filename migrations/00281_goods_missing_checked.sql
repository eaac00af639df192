-- +goose Up
-- Nobody waits while these look at the rows that there are.
ALTER TABLE driver_actions VALIDATE CONSTRAINT driver_actions_type_check;
ALTER TABLE exceptions VALIDATE CONSTRAINT exceptions_kind_check;
