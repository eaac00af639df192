-- The zones and freight levels of an organization as one document, the levels
-- in its order: what orders are classed by.
CREATE OR REPLACE FUNCTION freight_classes(org bigint) RETURNS jsonb
    LANGUAGE sql STABLE PARALLEL SAFE
AS $$
    SELECT jsonb_build_object(
        'zones', (SELECT coalesce(jsonb_agg(jsonb_build_object('id', z.id, 'name', z.name, 'areas', z.areas) ORDER BY z.id), '[]')
            FROM zones z WHERE z.org_id = org AND z.is_active),
        'freightLevels', (SELECT coalesce(jsonb_agg(jsonb_build_object('id', l.id, 'name', l.name, 'maxWeightKg', l.max_weight_kg,
            'maxVolumeM3', l.max_volume_m3, 'maxColli', l.max_colli) ORDER BY l.seq, l.id), '[]')
            FROM freight_levels l WHERE l.org_id = org AND l.is_active))
$$;
