-- What the person, key or telephone's driver is called who did something, null for
-- everybody else. Rights and policies are those of whoever calls it.
CREATE OR REPLACE FUNCTION name_of_actor(org bigint, actor text) RETURNS text
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

COMMENT ON FUNCTION name_of_actor IS 'What the person, key or driver is called who did something.';
