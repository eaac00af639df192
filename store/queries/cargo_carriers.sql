-- Load carriers, and their balances.

-- name: CargoCarriers :many
SELECT c.id, c.code, c.name, coalesce(c.unit_value::text, '')::text AS unit_value, c.is_active
FROM cargo_carriers c WHERE c.org_id = @org_id
ORDER BY c.code LIMIT @most::int;

-- name: PutCargoCarrier :one
-- Creates or updates a load carrier by its code.
INSERT INTO cargo_carriers AS c (org_id, code, name, unit_value, is_active)
VALUES (@org_id, @code, @name, nullif(@unit_value::text, '')::numeric, @is_active)
ON CONFLICT (org_id, code) DO UPDATE SET name = excluded.name, unit_value = excluded.unit_value, is_active = excluded.is_active
RETURNING c.id, (c.xmax = 0)::boolean AS is_new;

-- name: CargoCarrierInUse :one
SELECT c.id, c.code FROM cargo_carriers c WHERE c.org_id = @org_id AND c.id = @id AND c.is_active;

-- name: PartyOfMovement :one
-- Which of a movement's references exist; 0 means none.
SELECT (@customer_id::bigint = 0
        OR EXISTS (SELECT FROM customers c WHERE c.org_id = @org_id AND c.id = @customer_id))::boolean AS customer,
    (@location_id::bigint = 0 OR EXISTS (
        SELECT FROM locations l WHERE l.org_id = @org_id AND l.id = @location_id AND l.deleted_at IS NULL))::boolean AS location,
    (@order_id::bigint = 0
        OR EXISTS (SELECT FROM orders o WHERE o.org_id = @org_id AND o.id = @order_id))::boolean AS has_order,
    (@driver_id::bigint = 0
        OR EXISTS (SELECT FROM drivers d WHERE d.org_id = @org_id AND d.id = @driver_id))::boolean AS driver;

-- name: OpenCustomerAccount :one
-- Adds to a customer's balance, under the lock of its account.
INSERT INTO cargo_carrier_accounts AS a (org_id, cargo_carrier_id, customer_id, balance)
VALUES (@org_id, @cargo_carrier_id, @customer_id, @quantity)
ON CONFLICT (org_id, customer_id, cargo_carrier_id) WHERE customer_id IS NOT NULL
DO UPDATE SET balance = a.balance + excluded.balance
RETURNING a.id, a.balance;

-- name: OpenLocationAccount :one
-- Adds to a location's balance, under the lock of its account.
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
-- A movement and its load carrier. Locks the account first, so that a
-- concurrent reversal is seen.
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
-- The movements of an account before one, newest first.
SELECT m.id, m.account_id, m.quantity, m.balance, m.occurred_at, m.created_at, coalesce(m.order_id, 0)::bigint AS order_id,
    coalesce(m.driver_id, 0)::bigint AS driver_id, coalesce(m.signee, '')::text AS signee,
    coalesce(m.comment, '')::text AS comment, coalesce(m.reverses, 0)::bigint AS reverses,
    coalesce((SELECT r.id FROM cargo_carrier_movements r WHERE r.org_id = m.org_id AND r.reverses = m.id), 0)::bigint AS reversed_by
FROM cargo_carrier_movements m
WHERE m.org_id = @org_id AND m.account_id = @account_id AND m.id < @before
  AND (sqlc.narg('from_time')::timestamptz IS NULL OR m.occurred_at >= sqlc.narg('from_time')::timestamptz)
  AND (sqlc.narg('to_time')::timestamptz IS NULL OR m.occurred_at < sqlc.narg('to_time')::timestamptz)
ORDER BY m.id DESC LIMIT @page_size::int;

-- name: AddExchanged :exec
-- Adds to the balances of a stop's location. Every transaction locks the
-- accounts in the same order.
INSERT INTO cargo_carrier_accounts AS a (org_id, cargo_carrier_id, location_id, balance)
SELECT s.org_id, x.carrier_id, s.location_id, x.quantity
FROM (SELECT unnest(@carriers::bigint[]) AS carrier_id, unnest(@quantities::int[]) AS quantity) x
JOIN order_stops s ON s.org_id = @org_id AND s.id = @stop_id
ORDER BY x.carrier_id
ON CONFLICT (org_id, location_id, cargo_carrier_id) WHERE location_id IS NOT NULL
DO UPDATE SET balance = a.balance + excluded.balance;

-- name: KeepExchanged :exec
-- Stores the movements of an exchange, whose balances are already updated, and
-- appends their events. A movement's balance does not include later ones.
WITH moved AS (
    INSERT INTO cargo_carrier_movements AS m (org_id, account_id, quantity, balance, occurred_at, order_id, driver_id, comment,
        action_id)
    SELECT a.org_id, a.id, x.quantity, a.balance - x.rest, @occurred_at::timestamptz, s.order_id, @driver_id::bigint,
        nullif(@comment::text, ''), (@action_id::text)::uuid
    FROM (SELECT unnest(@carriers::bigint[]) AS carrier_id, unnest(@quantities::int[]) AS quantity,
        unnest(@rests::bigint[]) AS rest, generate_series(1, cardinality(@carriers::bigint[])) AS seq) x
    JOIN order_stops s ON s.org_id = @org_id AND s.id = @stop_id
    JOIN cargo_carrier_accounts a ON a.org_id = s.org_id AND a.location_id = s.location_id AND a.cargo_carrier_id = x.carrier_id
    ORDER BY x.seq
    RETURNING m.id, m.org_id, m.account_id, m.quantity, m.order_id
)
INSERT INTO events (org_id, kind, subject_type, subject_id, order_id, driver_id, occurred_at, data)
SELECT m.org_id, 'cargo_carrier.moved', 'order', m.order_id, m.order_id, @driver_id::bigint, @occurred_at::timestamptz,
    jsonb_build_object('carrier', c.code, 'account', m.account_id, 'movement', m.id, 'quantity', m.quantity)
FROM moved m
JOIN cargo_carrier_accounts a ON a.org_id = m.org_id AND a.id = m.account_id
JOIN cargo_carriers c ON c.org_id = a.org_id AND c.id = a.cargo_carrier_id
ORDER BY m.id;

-- name: LockExchanged :exec
-- Locks the accounts that an exchange moved, so that concurrent reversals are
-- seen.
SELECT FROM cargo_carrier_accounts a
WHERE a.org_id = @org_id AND a.id IN (
    SELECT m.account_id FROM cargo_carrier_movements m WHERE m.org_id = @org_id AND m.action_id = (@undoes::text)::uuid)
ORDER BY a.cargo_carrier_id FOR NO KEY UPDATE;

-- name: ReverseExchanged :exec
-- Reverses the movements of an exchange that are not reversed yet, with their events.
WITH back AS MATERIALIZED (
    SELECT m.org_id, m.id, m.account_id, m.order_id, -m.quantity AS quantity, c.code,
        a.balance - sum(m.quantity) OVER (PARTITION BY m.account_id ORDER BY m.id) AS balance
    FROM cargo_carrier_movements m
    JOIN cargo_carrier_accounts a ON a.org_id = m.org_id AND a.id = m.account_id
    JOIN cargo_carriers c ON c.org_id = a.org_id AND c.id = a.cargo_carrier_id
    WHERE m.org_id = @org_id AND m.action_id = (@undoes::text)::uuid AND m.reverses IS NULL
      AND NOT EXISTS (SELECT FROM cargo_carrier_movements r WHERE r.org_id = m.org_id AND r.reverses = m.id)
), accounted AS (
    UPDATE cargo_carrier_accounts a SET balance = a.balance + x.quantity
    FROM (SELECT b.account_id, sum(b.quantity) AS quantity FROM back b GROUP BY b.account_id) x
    WHERE a.org_id = @org_id AND a.id = x.account_id
), moved AS (
    INSERT INTO cargo_carrier_movements AS m (org_id, account_id, quantity, balance, occurred_at, order_id, driver_id, reverses,
        action_id)
    SELECT b.org_id, b.account_id, b.quantity, b.balance, @occurred_at::timestamptz, b.order_id, @driver_id::bigint, b.id,
        (@action_id::text)::uuid
    FROM back b ORDER BY b.id
    RETURNING m.id, m.reverses
)
INSERT INTO events (org_id, kind, subject_type, subject_id, order_id, driver_id, occurred_at, data)
SELECT b.org_id, 'cargo_carrier.moved', 'order', b.order_id, b.order_id, @driver_id::bigint, @occurred_at::timestamptz,
    jsonb_build_object('carrier', b.code, 'account', b.account_id, 'movement', m.id, 'quantity', b.quantity, 'reverses', b.id)
FROM moved m JOIN back b ON b.id = m.reverses
ORDER BY m.id;
