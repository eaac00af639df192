-- What is learned from how long drivers drove.

-- name: DrivenTravel :many
SELECT t.day::date AS day, t.driver_id::bigint AS driver_id, t.from_country::text AS from_country, t.from_code::text AS from_code,
    t.to_country::text AS to_country, t.to_code::text AS to_code, t.left_at::timestamptz AS left_at,
    t.arrived_at::timestamptz AS arrived_at, t.seconds::int AS seconds
FROM driven_travel(@org_id::bigint, @first_day::date, @last_day::date) t;

-- name: TravelLearning :one
-- How an organization learns travel times, and the rush hours that it has.
SELECT learn_travel, timezone, coalesce(rush_hours, '[]')::jsonb AS rush_hours, (closed_at IS NOT NULL)::bool AS is_closed
FROM organizations WHERE id = @org_id;

-- name: SetLearnTravel :execrows
UPDATE organizations o SET learn_travel = @learn_travel::text, updated_at = now()
WHERE o.id = @org_id AND o.learn_travel <> @learn_travel::text;

-- name: ReplaceTravelProposal :exec
-- Takes back the open proposal.
UPDATE travel_proposals SET state = 'REPLACED', decided_at = now() WHERE org_id = @org_id AND state = 'OPEN';

-- name: AddTravelProposal :one
INSERT INTO travel_proposals (org_id, hours, legs, days, trial_legs, trial_days, before_seconds, after_seconds)
VALUES (@org_id, @hours::jsonb, @legs, @days, @trial_legs, @trial_days, @before_seconds, @after_seconds)
RETURNING id;

-- name: LastTravelProposal :many
-- The hours of the last proposal that was decided or is open, and its state.
SELECT state, hours FROM travel_proposals WHERE org_id = @org_id AND state <> 'REPLACED' ORDER BY id DESC LIMIT 1;

-- name: DecideTravelProposal :one
UPDATE travel_proposals SET state = @state::text, decided_at = now(), decided_by = @decided_by::text
WHERE org_id = @org_id AND id = @id AND state = 'OPEN'
RETURNING hours;

-- name: TravelProposals :many
-- The last proposals, the newest first.
SELECT id, state, hours, legs, days, trial_legs, trial_days, before_seconds, after_seconds, proposed_at, decided_at,
    coalesce(decided_by, '')::text AS decided_by
FROM travel_proposals WHERE org_id = @org_id AND state <> 'REPLACED' ORDER BY id DESC LIMIT @at_most::int;
