-- What is asked for at the stops of orders of a type, and since when each is held to
-- it: the type goes before the organization, and both before what is usual.
CREATE OR REPLACE FUNCTION proof_asked(org bigint, of_type bigint) RETURNS jsonb
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
