-- +goose Up
-- What drivers must bring as proof of what they did at a stop, by the organization and
-- by the type of an order; whom a driver calls whose work did not count; and pictures
-- of what could not be delivered.
ALTER TABLE organizations
    ADD COLUMN office_phone text CONSTRAINT organizations_office_phone_check CHECK (office_phone ~ '^\+?[0-9][0-9 ()-]{2,29}$'),
    -- What is asked for in person, contactless and of a failure, where somebody said so.
    ADD COLUMN proof jsonb CONSTRAINT organizations_proof_check CHECK (jsonb_typeof(proof) = 'object'),
    -- Nothing that was done before this is held to it.
    ADD COLUMN proof_since timestamptz;
ALTER TABLE order_types
    ADD COLUMN proof jsonb CONSTRAINT order_types_proof_check CHECK (jsonb_typeof(proof) = 'object'),
    ADD COLUMN proof_since timestamptz;

-- +goose StatementBegin
CREATE FUNCTION note_proof_since() RETURNS trigger
    LANGUAGE plpgsql
AS $$
BEGIN
    IF TG_OP = 'INSERT' OR OLD.proof IS DISTINCT FROM NEW.proof THEN
        NEW.proof_since := CASE WHEN NEW.proof IS NOT NULL THEN now() END;
    END IF;
    RETURN NEW;
END
$$;
-- +goose StatementEnd
CREATE TRIGGER organizations_proof_since BEFORE INSERT OR UPDATE ON organizations
    FOR EACH ROW EXECUTE FUNCTION note_proof_since();
CREATE TRIGGER order_types_proof_since BEFORE INSERT OR UPDATE ON order_types
    FOR EACH ROW EXECUTE FUNCTION note_proof_since();

-- What is asked for at the stops of orders of a type, and since when each is held to
-- it: the type goes before the organization, and both before what is usual.
CREATE FUNCTION proof_asked(org bigint, of_type bigint) RETURNS jsonb
    LANGUAGE sql STABLE PARALLEL SAFE
AS $$
    SELECT jsonb_build_object(
        'inPerson', jsonb '{"name": "required", "signature": "optional", "photo": "optional", "scan": "optional", "comment": "optional"}'
            || coalesce(o.proof -> 'in_person', '{}') || coalesce(t.proof -> 'in_person', '{}'),
        'contactless', jsonb '{"photo": "required", "scan": "optional", "comment": "optional"}'
            || coalesce(o.proof -> 'contactless', '{}') || coalesce(t.proof -> 'contactless', '{}'),
        'failure', jsonb '{"photo": "optional", "comment": "optional"}'
            || coalesce(o.proof -> 'failure', '{}') || coalesce(t.proof -> 'failure', '{}'),
        'since', jsonb_build_object(
            'inPerson', iso_utc(greatest(CASE WHEN o.proof ? 'in_person' THEN o.proof_since END,
                CASE WHEN t.proof ? 'in_person' THEN t.proof_since END)),
            'contactless', iso_utc(greatest(CASE WHEN o.proof ? 'contactless' THEN o.proof_since END,
                CASE WHEN t.proof ? 'contactless' THEN t.proof_since END)),
            'failure', iso_utc(greatest(CASE WHEN o.proof ? 'failure' THEN o.proof_since END,
                CASE WHEN t.proof ? 'failure' THEN t.proof_since END))))
    FROM organizations o LEFT JOIN order_types t ON t.org_id = o.id AND t.id = of_type
    WHERE o.id = org
$$;

-- As in 00084_sandbox.sql, with whom drivers call and what they must bring.
CREATE OR REPLACE VIEW v1_organization WITH (security_invoker = true) AS
SELECT id AS org_id, jsonb_build_object(
    'id', id, 'slug', slug, 'name', name, 'timezone', timezone, 'language', language, 'allow_merge', allow_merge,
    'reexport', reexport, 'sandbox', sandbox, 'office_phone', office_phone, 'proof', proof,
    'updated_at', iso_utc(updated_at)) AS document
FROM organizations;

-- As in 00067_sources_and_lookups.sql, with what drivers must bring.
CREATE OR REPLACE VIEW v1_order_types WITH (security_invoker = true) AS
SELECT org_id, id, 0 AS place, is_active, jsonb_build_object(
    'id', id, 'name', name, 'priority', priority, 'ready_from', clock_text(ready_from),
    'pick_up_before', clock_text(pick_up_before), 'deliver_before', clock_text(deliver_before), 'min_book_ahead_minutes', min_book_ahead_minutes,
    'max_book_ahead_minutes', max_book_ahead_minutes, 'export_carrier', export_carrier, 'proof', proof, 'is_active', is_active,
    'source', source) AS document
FROM order_types;

-- What a driver did without the proof that was asked for.
ALTER TABLE exceptions DROP CONSTRAINT exceptions_kind_check, ADD CONSTRAINT exceptions_kind_check
    CHECK (kind IN ('LATE_STOP', 'SILENT_DRIVER', 'DELIVERED_THOUGH_CANCELLED', 'ACTED_THOUGH_CANCELLED',
        'NOT_YOURS_ANY_MORE', 'ALREADY_DONE', 'BAD_ORDER_OF_ACTIONS', 'PROOF_MISSING'));

-- As in 00076_driving.sql, with the pictures of what could not be delivered.
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION order_documentations_document(org bigint, order_id bigint) RETURNS jsonb
    LANGUAGE sql STABLE PARALLEL SAFE
AS $$
    SELECT coalesce(jsonb_agg(jsonb_build_object('id', d.id, 'order_location_id', d.stop_id, 'type', d.type,
        'comment', d.comment, 'driver_id', d.driver_id, 'pictures', coalesce((
            SELECT jsonb_agg(x.sha256 ORDER BY x.place) FROM driver_actions a
            CROSS JOIN LATERAL jsonb_array_elements_text(a.data -> 'pictures') WITH ORDINALITY AS x (sha256, place)
            WHERE a.org_id = d.org_id AND a.id = d.action_id AND d.type = 'failure'), '[]'),
        'occurred_at', iso_utc(coalesce(d.occurred_at, d.created_at)),
        'created_at', iso_utc(d.created_at)) ORDER BY coalesce(d.occurred_at, d.created_at), d.id), '[]')
    FROM order_documentations d
    WHERE d.org_id = org AND d.order_id = order_documentations_document.order_id
$$;
-- +goose StatementEnd
