-- +goose Up
-- The answers of these operations hold secrets and are no longer kept. A repetition is
-- answered from the outcome, in which secrets are encrypted.
UPDATE idempotency_keys SET status = NULL, headers = NULL, body = NULL, claimed_until = now()
WHERE operation IN ('createWebhookEndpoint', 'rotateWebhookSecret', 'createDocuments')
    AND status < 300 AND outcome IS NOT NULL;

UPDATE idempotency_keys SET body = ''
WHERE operation IN ('createWebhookEndpoint', 'rotateWebhookSecret', 'createDocuments') AND status < 300;
