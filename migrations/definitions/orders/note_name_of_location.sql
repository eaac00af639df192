-- A location that is renamed is still found by the name that its stops keep.
CREATE OR REPLACE FUNCTION note_name_of_location() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO location_names (org_id, location_id, name) VALUES (old.org_id, old.id, old.name)
    ON CONFLICT DO NOTHING;
    RETURN NULL;
END
$$;
