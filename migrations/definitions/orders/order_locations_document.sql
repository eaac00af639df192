-- Locations of an order as JSON, with the tracking links that have not ended.
CREATE OR REPLACE FUNCTION order_locations_document(org bigint, order_id bigint, loads text[]) RETURNS jsonb
    LANGUAGE sql STABLE PARALLEL SAFE
AS $$
    SELECT coalesce(jsonb_agg(
        d.base
        || CASE WHEN 'OrderLocations.Address' = ANY (loads) THEN jsonb_build_object('address', d.address) ELSE '{}' END
        || CASE WHEN 'OrderLocations.Location' = ANY (loads) THEN jsonb_build_object('location', (
            SELECT jsonb_build_object('id', l.id, 'external_id', l.external_id, 'name', l.name)
            FROM order_stops s JOIN locations l ON l.org_id = s.org_id AND l.id = s.location_id
            WHERE s.org_id = d.org_id AND s.id = d.id)) ELSE '{}' END
        || CASE WHEN 'OrderLocations.OrderLocationContacts' = ANY (loads) THEN jsonb_build_object('order_location_contacts', (
            SELECT coalesce(jsonb_agg(jsonb_build_object('id', c.id, 'first_name', c.first_name, 'last_name', c.last_name,
                'phone_number', c.phone_number, 'email_address', c.email_address) ORDER BY c.seq), '[]')
            FROM stop_contacts c WHERE c.org_id = d.org_id AND c.stop_id = d.id)) ELSE '{}' END
        || CASE WHEN 'OrderLocations.TrackTraces' = ANY (loads) THEN jsonb_build_object('track_traces',
            stop_track_traces(d.org_id, d.id)) ELSE '{}' END
        ORDER BY d.kind DESC), '[]')
    FROM order_stop_documents d
    WHERE d.org_id = org AND d.order_id = order_locations_document.order_id
$$;
