-- +goose Up
-- The messages that nobody got are looked for among all that were sent.
CREATE INDEX notifications_unsent_idx ON notifications (org_id, channel, id) WHERE status IN ('failed', 'bounced', 'spam');
