-- The number that an event is of; null when it is of the order, and so of every
-- number that counts in it.
CREATE OR REPLACE FUNCTION number_of_event(kind text, number text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$
    SELECT CASE WHEN kind IN ('order.created', 'order.merged', 'order.cancelled', 'order.reactivated',
        'order.number_cancelled', 'order.number_replanned') THEN number END
$$;
