-- name: OrderVehicleType :one
-- The vehicle type of the order that a number leads to.
SELECT v.id, v.name FROM order_numbers n
JOIN orders o ON o.org_id = n.org_id AND o.id = n.order_id
JOIN vehicle_types v ON v.org_id = o.org_id AND v.id = o.vehicle_type_id
WHERE n.org_id = @org_id AND n.number = @number;

-- name: FindVehicleType :one
-- An active vehicle type by its id, or else by its name, ignoring case.
SELECT id, name FROM vehicle_types
WHERE org_id = @org_id AND is_active
  AND CASE WHEN sqlc.narg('id')::bigint IS NOT NULL THEN id = sqlc.narg('id')::bigint
      ELSE lower(name) = lower(btrim(@name::text)) END;

-- name: ReassignOrder :exec
-- Changes an order's vehicle type and unassigns its driver. That is an edit
-- unless the service does so itself.
UPDATE orders SET vehicle_type_id = @vehicle_type_id,
    replaced_vehicle_type_id = nullif(@replaced_vehicle_type_id::bigint, 0), status_id = @status_id, driver_id = NULL, updated_at = now(),
    edited_at = CASE WHEN @edited::boolean THEN now() ELSE edited_at END
WHERE org_id = @org_id AND id = @id;
