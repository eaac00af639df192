-- +goose Up
-- No attempt is made at an event that has left the feed, so none fails for that.
ALTER TABLE webhook_attempts DROP CONSTRAINT webhook_attempts_fault_check;
ALTER TABLE webhook_attempts ADD CONSTRAINT webhook_attempts_fault_check
    CHECK (fault IN ('STATUS', 'TIMEOUT', 'CONNECTION', 'DNS', 'TLS', 'ADDRESS')) NOT VALID;
ALTER TABLE webhook_attempts VALIDATE CONSTRAINT webhook_attempts_fault_check;
