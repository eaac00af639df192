-- +goose Up
-- Looking back on the log: who somebody is who did something, what one person
-- did, and what an order was before it was one.

-- What the person, key or telephone's driver is called who did something, null for
-- everybody else. Rights and policies are those of whoever calls it.
-- +goose StatementBegin
CREATE FUNCTION name_of_actor(org bigint, actor text) RETURNS text
    LANGUAGE plpgsql STABLE
AS $$
DECLARE
    known bigint := substring(actor FROM '^(?:user|key|device):([0-9]{1,18})$')::bigint;
BEGIN
    RETURN CASE WHEN known IS NOT NULL THEN CASE split_part(actor, ':', 1)
        WHEN 'user' THEN (SELECT u.name FROM users u WHERE u.org_id = org AND u.id = known)
        WHEN 'key' THEN (SELECT k.name FROM api_keys k WHERE k.org_id = org AND k.id = known)
        ELSE (SELECT d.name FROM sessions s JOIN drivers d ON d.org_id = s.org_id AND d.id = s.driver_id
            WHERE s.org_id = org AND s.id = known)
    END END;
END
$$;
-- +goose StatementEnd
COMMENT ON FUNCTION name_of_actor(bigint, text) IS 'What the person, key or driver is called who did something.';

-- People do little beside keys and the service itself, so this stays small.
CREATE INDEX events_person_idx ON events (org_id, actor, id) WHERE position IS NOT NULL AND actor LIKE 'user:%';

