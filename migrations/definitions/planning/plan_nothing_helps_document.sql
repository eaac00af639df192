-- Why no change helps an unplanned order, on the wire; null if one may help.
CREATE OR REPLACE FUNCTION plan_nothing_helps_document(counterfactuals jsonb) RETURNS jsonb
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$
    SELECT jsonb_build_object('code', c.value->>'why')
    FROM jsonb_array_elements(plan_nothing_helps_document.counterfactuals) c WHERE c.value->>'change' = 'NOTHING'
$$;
