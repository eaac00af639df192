-- What there is to look addresses of an organization up in.
CREATE OR REPLACE FUNCTION places_known(org bigint) RETURNS TABLE (has_register boolean, has_pins boolean, has_answers boolean)
    LANGUAGE sql STABLE
AS $$
    SELECT EXISTS (SELECT FROM place_sources), EXISTS (SELECT FROM place_pins p WHERE p.org_id = org),
        EXISTS (SELECT FROM place_answers a WHERE a.org_id = org)
$$;
