CREATE OR REPLACE FUNCTION note_names_of_stops() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO location_names (org_id, location_id, name)
    SELECT DISTINCT s.org_id, s.location_id, s.name
    FROM written s
    CROSS JOIN LATERAL (SELECT o.name FROM locations o WHERE o.org_id = s.org_id AND o.id = s.location_id OFFSET 0) l
    WHERE s.name <> l.name AND s.name <> ''
    ORDER BY 1, 2, 3
    ON CONFLICT DO NOTHING;
    RETURN NULL;
END
$$;
