-- +goose Up
-- Where people may sign in with an account that they have elsewhere. The secret by
-- which the service is known there is encrypted, as the seeds of one-time passwords
-- are. Who comes without an invitation gets an account with new_users_role_id; null
-- lets nobody in that way.
ALTER TABLE oidc_providers
    DROP COLUMN client_secret,
    ADD COLUMN sealed_secret bytea,
    ADD COLUMN new_users_role_id bigint,
    ADD COLUMN created_at timestamptz NOT NULL DEFAULT now(),
    ADD COLUMN updated_at timestamptz NOT NULL DEFAULT now(),
    ADD CONSTRAINT oidc_providers_role_fkey FOREIGN KEY (org_id, new_users_role_id) REFERENCES roles (org_id, id);
