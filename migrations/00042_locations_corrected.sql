-- +goose Up
-- Locations are made and corrected one by one, too, and all that they hold can
-- be read.

CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE EXTENSION IF NOT EXISTS btree_gin;

ALTER TABLE locations ADD COLUMN estimated_time_on_location integer
    CHECK (estimated_time_on_location BETWEEN 0 AND 1440);
COMMENT ON COLUMN locations.estimated_time_on_location IS 'Minutes, for the stops of orders that do not say.';

-- The index of what a location is looked for by is built in 00191_indexes_beside_writers.sql.

-- A text as a pattern that finds it wherever it stands.
CREATE FUNCTION containing(term text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN '%' || regexp_replace(term, '([\\%_])', '\\\1', 'g') || '%';

-- The first locations in which a text occurs. The function works as the owner of
-- the tables: under row-level security the planner may not ask an index for texts
-- that are alike, because the operator is not known to keep what it sees to
-- itself. So the function itself asks for the session's organization only.
-- +goose StatementBegin
CREATE FUNCTION find_locations(term text, most integer) RETURNS SETOF bigint
    LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 1000
    SET search_path = public, pg_temp
    SET enable_seqscan = off
    SET enable_indexscan = off
    SET plan_cache_mode = force_custom_plan
AS $$
DECLARE
    pattern constant text := containing(term);
BEGIN
    RETURN QUERY SELECT l.id FROM locations l
    WHERE l.org_id = current_org() AND l.deleted_at IS NULL
      AND (l.name ILIKE pattern OR l.external_id ILIKE pattern OR l.address1 ILIKE pattern
          OR l.postal_code ILIKE pattern OR l.city ILIKE pattern)
    LIMIT most;
END
$$;
-- +goose StatementEnd
REVOKE EXECUTE ON FUNCTION find_locations(text, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION find_locations(text, integer) TO waybill_app;

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
        'created_at', iso_utc(l.created_at), 'updated_at', iso_utc(l.updated_at)
    ) AS document
FROM locations l WHERE l.deleted_at IS NULL;
