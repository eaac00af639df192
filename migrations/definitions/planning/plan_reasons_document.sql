-- The reasons of an unplanned order on the wire: `by` under the name of what it
-- counts, skills by name.
CREATE OR REPLACE FUNCTION plan_reasons_document(org bigint, reasons jsonb) RETURNS jsonb
    LANGUAGE sql STABLE PARALLEL SAFE
AS $$
    SELECT coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
        'code', r.value->>'code', 'drivers', coalesce(r.value->'drivers', '[]'), 'count', coalesce(r.value->'count', '0'),
        'lateBySeconds', CASE WHEN r.value->>'code' IN ('WEIGHT', 'VOLUME', 'COLLI', 'LOAD_DIMENSION', 'ROUTE_TOO_FAR', 'TOO_MANY_STOPS')
            THEN NULL ELSE r.value->'by' END,
        'overBy', CASE WHEN r.value->>'code' IN ('WEIGHT', 'VOLUME', 'COLLI', 'LOAD_DIMENSION', 'ROUTE_TOO_FAR', 'TOO_MANY_STOPS') THEN r.value->'by' END,
        'skill', (SELECT k.name FROM skills k WHERE k.org_id = org AND k.id = (r.value->>'skillId')::bigint),
        'lacks', r.value->'lacks', 'stop', upper(r.value->>'stop'), 'nearest', r.value->'nearest', 'load', r.value->'load',
        'closed', r.value->'closed'
    )) ORDER BY r.ordinality), '[]')
    FROM jsonb_array_elements(plan_reasons_document.reasons) WITH ORDINALITY r
$$;
