-- +goose Up
-- Nobody waits while these look at the rows that there are.
ALTER TABLE exceptions VALIDATE CONSTRAINT exceptions_kind_check;
ALTER TABLE exceptions VALIDATE CONSTRAINT exceptions_subject_check;
ALTER TABLE sandbox_runs VALIDATE CONSTRAINT sandbox_runs_trouble_check;
