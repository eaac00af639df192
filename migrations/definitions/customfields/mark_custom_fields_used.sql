-- Marks definitions when they get their first value, whoever gives it.
CREATE OR REPLACE FUNCTION mark_custom_fields_used() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE custom_field_definitions d SET was_used = true
    FROM (SELECT DISTINCT org_id, definition_id FROM added ORDER BY org_id, definition_id) a
    WHERE d.org_id = a.org_id AND d.id = a.definition_id AND NOT d.was_used;
    RETURN NULL;
END
$$;
