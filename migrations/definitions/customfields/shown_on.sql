-- The stops at which a value is shown, by what its definition says: at its own,
-- at the other, at both, or at one of them whatever. A value of the whole order is
-- at both.
CREATE OR REPLACE FUNCTION shown_on(display_on text, stop text) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE
        WHEN display_on IN ('pickup', 'delivery') THEN ARRAY[display_on]
        WHEN stop IS NULL OR display_on = 'both' THEN ARRAY['pickup', 'delivery']
        WHEN (display_on = 'current') = (stop = 'pickup') THEN ARRAY['pickup']
        ELSE ARRAY['delivery']
    END;
