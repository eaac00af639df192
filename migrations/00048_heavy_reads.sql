-- +goose Up
-- Searches, pages and counts look at few rows, however many orders an
-- organization has.

-- Orders are found by their status, type and route, by the times by which they can be
-- sorted, and by the texts by which people know them. Stops are found by their location
-- and name. These indexes are built in 00191_indexes_beside_writers.sql.

-- The names other than its own under which orders stop at a location: a stop is
-- found through its location, because there are many times more stops.
CREATE TABLE location_names (
    org_id      bigint NOT NULL REFERENCES organizations (id),
    location_id bigint NOT NULL,
    name        text NOT NULL,
    CONSTRAINT location_names_pkey PRIMARY KEY (org_id, location_id, name)
);
SELECT guard_tenant('location_names');
CREATE INDEX location_names_search_idx ON location_names USING gin (org_id, name gin_trgm_ops);

INSERT INTO location_names (org_id, location_id, name)
SELECT DISTINCT s.org_id, s.location_id, s.name
FROM order_stops s JOIN locations l ON l.org_id = s.org_id AND l.id = s.location_id
WHERE s.name <> l.name AND s.name <> '';

-- +goose StatementBegin
CREATE FUNCTION note_names_of_stops() RETURNS trigger LANGUAGE plpgsql AS $$
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
-- +goose StatementEnd
CREATE TRIGGER order_stops_names_of_new AFTER INSERT ON order_stops
    REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION note_names_of_stops();
CREATE TRIGGER order_stops_names_of_changed AFTER UPDATE ON order_stops
    REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION note_names_of_stops();

-- A location that is renamed is still found by the name that its stops keep.
-- +goose StatementBegin
CREATE FUNCTION note_name_of_location() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO location_names (org_id, location_id, name) VALUES (old.org_id, old.id, old.name)
    ON CONFLICT DO NOTHING;
    RETURN NULL;
END
$$;
-- +goose StatementEnd
CREATE TRIGGER locations_renamed AFTER UPDATE OF name ON locations FOR EACH ROW
    WHEN (old.name <> new.name AND old.name <> '') EXECUTE FUNCTION note_name_of_location();


-- The locations, and the names that stops may have there, that contain a text.
-- +goose StatementBegin
CREATE FUNCTION find_places(term text, most integer) RETURNS TABLE (location_id bigint, name text)
    LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 100
    SET search_path = public, pg_temp
    SET enable_seqscan = off
    SET enable_indexscan = off
    SET jit = off
    SET plan_cache_mode = force_custom_plan
AS $$
DECLARE
    pattern constant text := containing(term);
BEGIN
    RETURN QUERY
    (SELECT l.id, l.name FROM locations l WHERE l.org_id = current_org() AND l.name ILIKE pattern LIMIT most)
    UNION
    (SELECT n.location_id, n.name FROM location_names n
        WHERE n.org_id = current_org() AND n.name ILIKE pattern LIMIT most);
END
$$;
-- +goose StatementEnd

-- The first orders whose text of a field contains a term. Like find_locations, it
-- works as the owner of the tables and asks for the session's organization.
-- +goose StatementBegin
CREATE FUNCTION find_orders_by_text(field text, term text, most integer) RETURNS SETOF bigint
    LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 100
    SET search_path = public, pg_temp
    SET enable_seqscan = off
    SET enable_indexscan = off
    SET jit = off
    SET plan_cache_mode = force_custom_plan
AS $$
DECLARE
    pattern constant text := containing(term);
BEGIN
    IF field = 'reference' THEN
        RETURN QUERY SELECT o.id FROM orders o WHERE o.org_id = current_org() AND o.reference ILIKE pattern LIMIT most;
    ELSIF field = 'shipment' THEN
        RETURN QUERY (SELECT o.id FROM orders o
            WHERE o.org_id = current_org() AND o.internal_freight_number ILIKE pattern LIMIT most)
        UNION (SELECT a.order_id FROM export_acknowledgements a
            WHERE a.org_id = current_org() AND a.status = 'EXPORTED' AND a.carrier_shipment_id ILIKE pattern LIMIT most);
    END IF;
END
$$;
-- +goose StatementEnd

REVOKE EXECUTE ON FUNCTION find_places(text, integer), find_orders_by_text(text, text, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION find_places(text, integer), find_orders_by_text(text, text, integer) TO waybill_app;
