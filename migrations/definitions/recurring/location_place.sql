CREATE OR REPLACE FUNCTION location_place(l locations) RETURNS jsonb
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN jsonb_strip_nulls(jsonb_build_object('externalId', l.external_id, 'name', l.name, 'address', jsonb_build_object(
        'address1', l.address1, 'address2', l.address2, 'postalCode', l.postal_code, 'city', l.city, 'state', l.state,
        'country', l.country, 'latitude', l.latitude, 'longitude', l.longitude)));

COMMENT ON FUNCTION location_place IS 'A location as an import names it.';
