CREATE OR REPLACE FUNCTION note_name_of_stop() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO location_names (org_id, location_id, name)
    SELECT new.org_id, new.location_id, new.name FROM locations l
    WHERE l.org_id = new.org_id AND l.id = new.location_id AND l.name <> new.name
    ON CONFLICT DO NOTHING;
    RETURN NULL;
END
$$;
