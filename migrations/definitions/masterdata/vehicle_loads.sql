-- How much a vehicle holds in load dimensions, as [{dimension, amount}]: its own amounts, else those of its type.
CREATE OR REPLACE FUNCTION vehicle_loads(own jsonb, of_type jsonb) RETURNS jsonb
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$
    SELECT coalesce(own, '[]') || coalesce(jsonb_agg(t.value ORDER BY t.ordinality), '[]')
    FROM jsonb_array_elements(coalesce(of_type, '[]')) WITH ORDINALITY t
    WHERE NOT coalesce(own, '[]') @> jsonb_build_array(jsonb_build_object('dimension', t.value->'dimension'))
$$;
