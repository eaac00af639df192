-- Expiring data, and workflows to check. The functions cover all organizations; a
-- dry run only counts.

-- name: ForgetPositions :one
SELECT forget_positions(@before::timestamptz, @batch::int, @dry::boolean)::int AS counted;

-- name: ForgetImports :one
SELECT forget_imports(@before::timestamptz, @batch::int, @dry::boolean)::int AS counted;

-- name: ForgetTemplateChanges :one
SELECT forget_template_changes(@before::timestamptz, @batch::int, @dry::boolean)::int AS counted;

-- name: ForgetMessageTexts :one
SELECT forget_message_texts(@before::timestamptz, @batch::int, @dry::boolean)::int AS counted;

-- name: ForgetExportPayloads :one
SELECT forget_export_payloads(@before::timestamptz, @batch::int, @dry::boolean)::int AS counted;

-- name: ForgetCarrierBodies :one
SELECT forget_carrier_bodies(@before::timestamptz, @batch::int, @dry::boolean)::int AS counted;

-- name: ForgetTrackingLinks :one
SELECT forget_tracking_links(@before::timestamptz, @batch::int, @dry::boolean)::int AS counted;

-- name: ForgetUnnamedPictures :one
SELECT forget_pictures(@before::timestamptz, @batch::int, @dry::boolean)::int AS counted;

-- name: ForgetSessions :one
SELECT forget_sessions(@before::timestamptz, @batch::int, @dry::boolean)::int AS counted;

-- name: ForgetAccountCodes :one
SELECT forget_account_codes(@before::timestamptz, @batch::int, @dry::boolean)::int AS counted;

-- name: ForgetOldTravelLegs :one
SELECT forget_travel_legs(@before::timestamptz, @batch::int, @dry::boolean)::int AS counted;

-- name: ForgetKeys :one
SELECT forget_keys(@before::timestamptz, @batch::int, @dry::boolean)::int AS counted;

-- name: ForgetTallies :one
SELECT forget_tallies(@before::timestamptz, @batch::int, @dry::boolean)::int AS counted;

-- name: ForgetSignIns :one
SELECT forget_sign_ins(@before::timestamptz, @batch::int, @dry::boolean)::int AS counted;

-- name: ForgetParkedEvents :one
SELECT forget_parked_events(@before::timestamptz, @batch::int, @dry::boolean)::int AS counted;

-- name: ForgetDocuments :one
-- seen is how many were looked at: some of them something refers to.
SELECT (f.counted)::int AS counted, (f.seen)::int AS seen
FROM forget_documents(@before::timestamptz, @batch::int, @dry::boolean) AS f;

-- name: ForgetEvents :one
-- Drops a month of the log. Fails with the month's name if a follower still
-- needs it.
SELECT (f.counted)::int AS counted, coalesce(f.needed, '')::text AS needed
FROM forget_events(@before::timestamptz, @dry::boolean) AS f;

-- name: UnreferencedFiles :many
-- Those of some object storage keys that nothing refers to.
SELECT f.key::text AS key FROM unreferenced_files(@keys::text[]) AS f (key);

-- name: Living :many
-- Records that should have a running workflow, after one of them.
SELECT l.org_id::bigint AS org_id, l.id::bigint AS id, coalesce(l.day, '0001-01-01')::date AS day, l.other::bigint AS other, l.name::text AS name,
    l.event::text AS event, l.channel::text AS channel, l.key::text AS key
FROM living(@kind::text, @quiet_since::timestamptz, @after_org::bigint, @after_id::bigint, @batch::int) AS l;

-- name: FindMark :one
-- Where a duty continues; empty when it starts over.
SELECT coalesce((SELECT mark FROM housekeeping_marks WHERE duty = @duty), '')::text AS mark;

-- name: SetMark :exec
INSERT INTO housekeeping_marks (duty, mark) VALUES (@duty, @mark)
ON CONFLICT (duty) DO UPDATE SET mark = excluded.mark, noted_at = now();

-- name: SetLivesMark :exec
-- Records where a duty continues, and how many failed workflows it has just found. An empty
-- mark means that it has checked all, and that the count is complete.
INSERT INTO housekeeping_marks AS m (duty, mark, failed, counting)
VALUES (@duty, @mark::text, CASE WHEN @mark::text = '' THEN @seen::bigint ELSE 0 END,
    CASE WHEN @mark::text = '' THEN 0 ELSE @seen::bigint END)
ON CONFLICT (duty) DO UPDATE SET mark = excluded.mark, noted_at = now(),
    failed = CASE WHEN @mark::text = '' THEN m.counting + @seen::bigint ELSE m.failed END,
    counting = CASE WHEN @mark::text = '' THEN 0 ELSE m.counting + @seen::bigint END;

-- name: OverdueTemplates :one
SELECT overdue_templates(@at::timestamptz)::bigint AS overdue;

-- name: NeedsAttention :many
SELECT n.kind::text AS kind, n.counted::bigint AS counted FROM needs_attention(@at::timestamptz) AS n;

-- name: OldestWaitingMessages :many
SELECT m.channel::text AS channel, m.seconds::float8 AS seconds FROM oldest_waiting_messages(@at::timestamptz) AS m;

-- name: FailedLives :many
-- How many workflows of each duty have failed, as of the last complete check.
SELECT duty, failed FROM housekeeping_marks;

-- name: ClosedOrganizations :many
-- Those whose removal has begun.
SELECT c.id::bigint AS id FROM closed_organizations() AS c (id);

-- name: AgingOrganizations :many
-- The organizations with a retention for orders, after one of them.
SELECT a.id::bigint AS id, a.keep_days::int AS keep_days FROM aging_organizations(@after::bigint) AS a;

-- name: RetainingOrganizations :many
-- The organizations with a retention for personal data, after one of them.
SELECT r.id::bigint AS id, r.people_days::bigint AS people_days, r.proofs_days::bigint AS proofs_days,
    r.drivers_days::bigint AS drivers_days
FROM retaining_organizations(@after::bigint) AS r;

-- name: AddArchive :exec
INSERT INTO order_archives (org_id, month, storage_key, lines, size, sha256)
VALUES (@org_id, @month, @storage_key, @lines, @size, @sha256);

-- name: Archives :many
-- The archives of an organization, by month.
SELECT id, month, storage_key, lines, size, sha256 FROM order_archives WHERE org_id = @org_id ORDER BY month, id;

-- name: DropArchives :execrows
-- Forgets archives; their files are tidied away.
DELETE FROM order_archives WHERE org_id = @org_id AND id = ANY (@ids::bigint[]);

-- name: KeepProofLinks :exec
-- Keeps the links of the chain of some orders' proofs.
INSERT INTO archived_proofs (org_id, seq, hash)
SELECT p.org_id, p.seq, p.hash FROM completion_proofs p
WHERE p.org_id = @org_id AND p.order_id = ANY (@order_ids::bigint[]) AND p.seq IS NOT NULL;

-- name: ArchivedProofs :many
-- Links of removed proofs, after one of the chain.
SELECT seq, hash FROM archived_proofs WHERE org_id = @org_id AND seq > @after::bigint ORDER BY seq LIMIT @page_size::int;

-- name: UncoupleMovements :exec
-- Keeps the balances of load carriers, without the order and the signee of the
-- movements.
UPDATE cargo_carrier_movements SET order_id = NULL, signee = NULL, comment = NULL
WHERE org_id = @org_id AND order_id = ANY (@order_ids::bigint[]);

-- name: ForgetFreights :exec
-- Deletes those of some freights that have no orders any more.
DELETE FROM freights f WHERE f.org_id = @org_id AND f.id = ANY (@ids::bigint[])
  AND NOT EXISTS (SELECT FROM orders o WHERE o.org_id = f.org_id AND o.freight_id = f.id);

-- name: ForgetPictures :exec
-- Deletes those of some pictures, by their SHA-256 in hex, that no proof and no
-- failure names any more. Their bytes are cleaned up later.
DELETE FROM proof_pictures p WHERE p.org_id = @org_id AND p.sha256 IN (SELECT decode(x, 'hex') FROM unnest(@sums::text[]) AS u (x))
  AND NOT EXISTS (SELECT FROM completion_proof_images i WHERE i.org_id = p.org_id AND i.sha256 = p.sha256)
  AND NOT EXISTS (SELECT FROM completion_proofs c WHERE c.org_id = p.org_id AND c.signature_sha256 = p.sha256)
  AND NOT EXISTS (SELECT FROM driver_actions a WHERE a.type = 'FAIL' AND a.data -> 'pictures' ? encode(p.sha256, 'hex')
      AND a.org_id = p.org_id);
