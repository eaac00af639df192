-- To whom an order is locked, by whom, when and why, on the wire; null without a lock.
CREATE OR REPLACE FUNCTION order_lock_document(org bigint, order_id bigint) RETURNS jsonb
    LANGUAGE sql STABLE
AS $$
    SELECT jsonb_build_object('driverId', l.driver_id, 'driverName', d.name, 'lockedBy', l.locked_by,
        'lockedByName', name_of_actor(org, l.locked_by), 'lockedAt', iso_utc(l.locked_at), 'reason', l.reason)
    FROM order_driver_locks l JOIN drivers d ON d.org_id = l.org_id AND d.id = l.driver_id
    WHERE l.org_id = org AND l.order_id = order_lock_document.order_id
$$;
