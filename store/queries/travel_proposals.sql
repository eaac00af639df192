-- What is learned from how long drivers drove.

-- name: DrivenTravel :many
SELECT t.day::date AS day, t.driver_id::bigint AS driver_id, t.from_country::text AS from_country, t.from_code::text AS from_code,
    t.to_country::text AS to_country, t.to_code::text AS to_code, t.left_at::timestamptz AS left_at,
    t.arrived_at::timestamptz AS arrived_at, t.seconds::int AS seconds
FROM driven_travel(@org_id::bigint, @first_day::date, @last_day::date) t;

-- name: DrivenVisits :many
SELECT t.day::date AS day, t.driver_id::bigint AS driver_id, t.location_id::bigint AS location_id,
    t.order_type_id::bigint AS order_type_id, t.orders::int AS orders, t.seconds::int AS seconds
FROM driven_visits(@org_id::bigint, @first_day::date, @last_day::date) t;

-- name: LocationTimes :many
-- What is set for how long visits of some locations take.
SELECT l.id, l.estimated_time_on_location AS minutes, coalesce(l.service_time::text, '')::text AS times
FROM locations l WHERE l.org_id = @org_id AND l.id = ANY (@ids::bigint[]) AND l.deleted_at IS NULL;

-- name: OrderTypeTimes :many
-- The same of the order types.
SELECT t.id, coalesce(t.service_time::text, '')::text AS times
FROM order_types t WHERE t.org_id = @org_id AND t.service_time IS NOT NULL;

-- name: NamesOfVisits :many
-- How some locations and order types are called; the other id is 0.
SELECT l.id::bigint AS location_id, 0::bigint AS order_type_id, l.name::text AS name
FROM locations l WHERE l.org_id = @org_id AND l.id = ANY (@location_ids::bigint[])
UNION ALL
SELECT 0, t.id, t.name FROM order_types t WHERE t.org_id = @org_id AND t.id = ANY (@order_type_ids::bigint[]);

-- name: SetLocationTimes :many
-- Sets how long visits of locations take. What goods take by weight, volume or number stays.
UPDATE locations l SET updated_at = now(), service_time = coalesce(l.service_time, '{}')
    || jsonb_build_object('setup_seconds', x.setup_seconds, 'order_seconds', x.order_seconds)
FROM (SELECT unnest(@ids::bigint[]) AS id, unnest(@setup_seconds::int[]) AS setup_seconds,
    unnest(@order_seconds::int[]) AS order_seconds) x
WHERE l.org_id = @org_id AND l.id = x.id AND l.deleted_at IS NULL
RETURNING l.id, coalesce(l.external_id, '')::text AS external_id;

-- name: SetOrderTypeTimes :many
-- The same for order types.
UPDATE order_types t SET service_time = coalesce(t.service_time, '{}')
    || jsonb_build_object('setup_seconds', x.setup_seconds, 'order_seconds', x.order_seconds)
FROM (SELECT unnest(@ids::bigint[]) AS id, unnest(@setup_seconds::int[]) AS setup_seconds,
    unnest(@order_seconds::int[]) AS order_seconds) x
WHERE t.org_id = @org_id AND t.id = x.id AND t.is_active
RETURNING t.id, t.name;

-- name: PacesOfDrivers :many
-- The drivers who take longer or shorter than others.
SELECT d.id, coalesce(d.driving_factor, 0)::float8 AS driving_factor, coalesce(d.visit_factor, 0)::float8 AS visit_factor
FROM drivers d WHERE d.org_id = @org_id AND (d.driving_factor IS NOT NULL OR d.visit_factor IS NOT NULL);

-- name: SetPacesOfDrivers :many
-- Sets how much longer drivers take, and returns those that changed. Factors of 0 stay as they are; 1 is none.
UPDATE drivers d SET updated_at = now(),
    driving_factor = CASE x.driving_factor WHEN 0 THEN d.driving_factor ELSE nullif(x.driving_factor, 1) END,
    visit_factor = CASE x.visit_factor WHEN 0 THEN d.visit_factor ELSE nullif(x.visit_factor, 1) END
FROM (SELECT unnest(@ids::bigint[]) AS id, unnest(@driving_factors::float8[]) AS driving_factor,
    unnest(@visit_factors::float8[]) AS visit_factor) x
WHERE d.org_id = @org_id AND d.id = x.id AND d.is_active
RETURNING d.id, (x.driving_factor <> 0)::boolean AS drives, (x.visit_factor <> 0)::boolean AS visits;

-- name: NamesOfDrivers :many
SELECT d.id, d.name FROM drivers d WHERE d.org_id = @org_id AND d.id = ANY (@ids::bigint[]);

-- name: TravelLearning :one
-- How an organization learns travel times, and the rush hours that it has.
SELECT learn_travel, timezone, coalesce(rush_hours, '[]')::jsonb AS rush_hours, (closed_at IS NOT NULL)::bool AS is_closed
FROM organizations WHERE id = @org_id;

-- name: SetLearnTravel :execrows
UPDATE organizations o SET learn_travel = @learn_travel::text, updated_at = now()
WHERE o.id = @org_id AND o.learn_travel <> @learn_travel::text;

-- name: ReplaceTravelProposal :exec
-- Takes back the open proposal of a kind.
UPDATE travel_proposals SET state = 'REPLACED', decided_at = now()
WHERE org_id = @org_id AND kind = @kind::text AND state = 'OPEN';

-- name: AddTravelProposal :one
INSERT INTO travel_proposals (org_id, kind, hours, visits, drivers, legs, days, trial_legs, trial_days, before_seconds, after_seconds)
VALUES (@org_id, @kind::text, @hours::jsonb, @visits::jsonb, @drivers::jsonb, @legs, @days, @trial_legs, @trial_days, @before_seconds,
    @after_seconds)
RETURNING id;

-- name: LastTravelProposal :many
-- What the last proposal of a kind says that was decided or is open, and its state.
SELECT state, hours, visits, drivers FROM travel_proposals
WHERE org_id = @org_id AND kind = @kind::text AND state <> 'REPLACED' ORDER BY id DESC LIMIT 1;

-- name: DecideTravelProposal :one
UPDATE travel_proposals SET state = @state::text, decided_at = now(), decided_by = @decided_by::text
WHERE org_id = @org_id AND id = @id AND state = 'OPEN'
RETURNING kind, hours, visits, drivers;

-- name: TravelProposals :many
-- The last proposals, the newest first.
SELECT id, kind, state, hours, visits, drivers, legs, days, trial_legs, trial_days, before_seconds, after_seconds, proposed_at, decided_at,
    coalesce(decided_by, '')::text AS decided_by
FROM travel_proposals WHERE org_id = @org_id AND state <> 'REPLACED' ORDER BY id DESC LIMIT @at_most::int;
