CREATE OR REPLACE VIEW v1_locations WITH (security_invoker = true) AS
SELECT l.org_id, l.id, l.external_id, l.name,
    jsonb_build_object(
        'location_id', l.id, 'external_id', l.external_id, 'name', l.name,
        'address', jsonb_build_object(
            'address1', l.address1, 'address2', l.address2, 'postal_code', l.postal_code, 'city', l.city,
            'state', l.state, 'country', l.country, 'latitude', l.latitude, 'longitude', l.longitude),
        'opens', clock_text(l.opens), 'closes', clock_text(l.closes),
        'use_opening_hours_as_default', l.use_opening_hours_as_default,
        'time_windows', (
            SELECT coalesce(jsonb_agg(jsonb_build_object('rrule', w.rrule, 'opens', clock_text(w.opens),
                'closes', clock_text(w.closes)) ORDER BY w.seq), '[]')
            FROM location_time_windows w WHERE w.org_id = l.org_id AND w.location_id = l.id),
        'estimated_time_on_location', l.estimated_time_on_location,
        'service_time', l.service_time,
        'pauses', coalesce(l.pauses, '[]'),
        'curbside', l.curbside,
        'calendar_id', l.calendar_id,
        'created_at', iso_utc(l.created_at), 'updated_at', iso_utc(l.updated_at),
        'position', CASE WHEN l.latitude IS NOT NULL AND l.longitude IS NOT NULL
            THEN jsonb_build_object('latitude', l.latitude, 'longitude', l.longitude, 'precision', 'GIVEN', 'source', 'LOCATION')
            ELSE coalesce(l.position, '{"precision": "UNKNOWN"}') END
    ) AS document
FROM locations l WHERE l.deleted_at IS NULL;

GRANT SELECT ON v1_locations TO waybill_app;
