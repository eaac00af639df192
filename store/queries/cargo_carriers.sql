-- Load carriers, and who has how many of them.

-- name: CargoCarriers :many
SELECT c.id, c.code, c.name, coalesce(c.unit_value::text, '')::text AS unit_value, c.is_active
FROM cargo_carriers c WHERE c.org_id = @org_id
ORDER BY c.code LIMIT @most::int;

-- name: PutCargoCarrier :one
-- Makes a carrier of a code, or makes it what it is to be.
INSERT INTO cargo_carriers AS c (org_id, code, name, unit_value, is_active)
VALUES (@org_id, @code, @name, nullif(@unit_value::text, '')::numeric, @is_active)
ON CONFLICT (org_id, code) DO UPDATE SET name = excluded.name, unit_value = excluded.unit_value, is_active = excluded.is_active
RETURNING c.id, (c.xmax = 0)::boolean AS is_new;

-- name: CargoCarrierInUse :one
SELECT c.id, c.code FROM cargo_carriers c WHERE c.org_id = @org_id AND c.id = @id AND c.is_active;

-- name: PartyOfMovement :one
-- Which of what a movement names there is; what is 0 is not asked for.
SELECT (@customer_id::bigint = 0
        OR EXISTS (SELECT FROM customers c WHERE c.org_id = @org_id AND c.id = @customer_id))::boolean AS customer,
    (@location_id::bigint = 0 OR EXISTS (
        SELECT FROM locations l WHERE l.org_id = @org_id AND l.id = @location_id AND l.deleted_at IS NULL))::boolean AS location,
    (@order_id::bigint = 0
        OR EXISTS (SELECT FROM orders o WHERE o.org_id = @org_id AND o.id = @order_id))::boolean AS has_order,
    (@driver_id::bigint = 0
        OR EXISTS (SELECT FROM drivers d WHERE d.org_id = @org_id AND d.id = @driver_id))::boolean AS driver;

-- name: OpenCustomerAccount :one
-- Adds to what a customer has, under the lock of its account.
INSERT INTO cargo_carrier_accounts AS a (org_id, cargo_carrier_id, customer_id, balance)
VALUES (@org_id, @cargo_carrier_id, @customer_id, @quantity)
ON CONFLICT (org_id, customer_id, cargo_carrier_id) WHERE customer_id IS NOT NULL
DO UPDATE SET balance = a.balance + excluded.balance
RETURNING a.id, a.balance;

-- name: OpenLocationAccount :one
-- Adds to what a location has, under the lock of its account.
INSERT INTO cargo_carrier_accounts AS a (org_id, cargo_carrier_id, location_id, balance)
VALUES (@org_id, @cargo_carrier_id, @location_id, @quantity)
ON CONFLICT (org_id, location_id, cargo_carrier_id) WHERE location_id IS NOT NULL
DO UPDATE SET balance = a.balance + excluded.balance
RETURNING a.id, a.balance;

-- name: AddToCargoAccount :one
UPDATE cargo_carrier_accounts a SET balance = a.balance + @quantity::bigint WHERE a.org_id = @org_id AND a.id = @id
RETURNING a.balance;

-- name: AddCargoMovement :one
INSERT INTO cargo_carrier_movements (org_id, account_id, quantity, balance, occurred_at, order_id, driver_id, signee, comment,
    reverses)
VALUES (@org_id, @account_id, @quantity, @balance, @occurred_at, nullif(@order_id::bigint, 0), nullif(@driver_id::bigint, 0),
    nullif(@signee::text, ''), nullif(@comment::text, ''), nullif(@reverses::bigint, 0))
RETURNING id, created_at;

-- name: CargoMovement :one
-- A movement and the carrier that it is of; locks its account, behind which it is
-- known whether it was reversed.
SELECT m.account_id, m.quantity, coalesce(m.order_id, 0)::bigint AS order_id, coalesce(m.reverses, 0)::bigint AS reverses,
    a.cargo_carrier_id, c.code
FROM cargo_carrier_movements m
JOIN cargo_carrier_accounts a ON a.org_id = m.org_id AND a.id = m.account_id
JOIN cargo_carriers c ON c.org_id = m.org_id AND c.id = a.cargo_carrier_id
WHERE m.org_id = @org_id AND m.id = @id
FOR NO KEY UPDATE OF a;

-- name: IsCargoMovementReversed :one
SELECT EXISTS (SELECT FROM cargo_carrier_movements m WHERE m.org_id = @org_id AND m.reverses = @id::bigint);

-- name: CargoAccounts :many
-- Accounts behind one, by id.
SELECT a.id, a.balance, a.cargo_carrier_id, c.code, c.name, coalesce(a.customer_id, 0)::bigint AS customer_id,
    coalesce(a.location_id, 0)::bigint AS location_id, coalesce(u.business_name, l.name, '')::text AS party
FROM cargo_carrier_accounts a
JOIN cargo_carriers c ON c.org_id = a.org_id AND c.id = a.cargo_carrier_id
LEFT JOIN customers u ON u.org_id = a.org_id AND u.id = a.customer_id
LEFT JOIN locations l ON l.org_id = a.org_id AND l.id = a.location_id
WHERE a.org_id = @org_id AND a.id > @after
  AND (sqlc.narg('customer_id')::bigint IS NULL OR a.customer_id = sqlc.narg('customer_id')::bigint)
  AND (sqlc.narg('location_id')::bigint IS NULL OR a.location_id = sqlc.narg('location_id')::bigint)
  AND (sqlc.narg('id')::bigint IS NULL OR a.id = sqlc.narg('id')::bigint)
ORDER BY a.id LIMIT @page_size::int;

-- name: CargoMovements :many
-- The movements of an account before one, the newest first.
SELECT m.id, m.account_id, m.quantity, m.balance, m.occurred_at, m.created_at, coalesce(m.order_id, 0)::bigint AS order_id,
    coalesce(m.driver_id, 0)::bigint AS driver_id, coalesce(m.signee, '')::text AS signee,
    coalesce(m.comment, '')::text AS comment, coalesce(m.reverses, 0)::bigint AS reverses,
    coalesce((SELECT r.id FROM cargo_carrier_movements r WHERE r.org_id = m.org_id AND r.reverses = m.id), 0)::bigint AS reversed_by
FROM cargo_carrier_movements m
WHERE m.org_id = @org_id AND m.account_id = @account_id AND m.id < @before
  AND (sqlc.narg('from_time')::timestamptz IS NULL OR m.occurred_at >= sqlc.narg('from_time')::timestamptz)
  AND (sqlc.narg('to_time')::timestamptz IS NULL OR m.occurred_at < sqlc.narg('to_time')::timestamptz)
ORDER BY m.id DESC LIMIT @page_size::int;
