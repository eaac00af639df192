-- +goose Up
-- What is kept for a while only goes by itself. Each function looks at all
-- organizations, deletes what has been there since before a moment, at most batch
-- rows of it, and returns how many; a dry one only counts. They go round the
-- policies, and hand nothing out. What goes is little and what stays is large,
-- whatever the statistics say: so they go along indexes.

-- Where a duty of housekeeping goes on that is too long for one run.
CREATE TABLE housekeeping_marks (
    duty     text NOT NULL,
    mark     text NOT NULL,
    noted_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT housekeeping_marks_pkey PRIMARY KEY (duty)
);
GRANT SELECT, INSERT, UPDATE, DELETE ON housekeeping_marks TO waybill_app;

-- More of these indexes are built in 00191_indexes_beside_writers.sql.
CREATE INDEX sessions_expires_idx ON sessions (expires_at);
CREATE INDEX account_codes_expires_idx ON account_codes (expires_at);
-- Whether somebody acted with a device is asked before its session goes.
CREATE INDEX driver_actions_device_idx ON driver_actions (org_id, device_id) WHERE device_id IS NOT NULL;

-- Since when nothing refers to a document; null once somebody has found that
-- something does. What takes a reference away notes the time.
ALTER TABLE documents ADD COLUMN loose_since timestamptz;
ALTER TABLE documents ALTER COLUMN loose_since SET DEFAULT now();
UPDATE documents d SET loose_since = now()
WHERE NOT EXISTS (SELECT FROM order_documents a WHERE a.org_id = d.org_id AND a.document_id = d.id)
  AND NOT EXISTS (SELECT FROM draft_documents a WHERE a.org_id = d.org_id AND a.document_id = d.id);
-- +goose StatementBegin
CREATE FUNCTION note_loose_documents() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE documents d SET loose_since = now() FROM gone g WHERE d.org_id = g.org_id AND d.id = g.document_id;
    RETURN NULL;
END
$$;
-- +goose StatementEnd
CREATE TRIGGER order_documents_loose AFTER DELETE ON order_documents
    REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION note_loose_documents();
CREATE TRIGGER draft_documents_loose AFTER DELETE ON draft_documents
    REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION note_loose_documents();

-- +goose StatementBegin

-- Imports go whole, with their requests and results, as many as have batch entries
-- between them, and one at least: nobody ever sees half of one.
CREATE FUNCTION forget_imports(before timestamptz, batch integer, dry boolean, OUT counted integer)
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
    SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off
AS $$
DECLARE
    orgs bigint[];
    ids  bigint[];
BEGIN
    SELECT array_agg(x.org_id ORDER BY x.n), array_agg(x.id ORDER BY x.n) INTO orgs, ids FROM (
        SELECT i.org_id, i.id, i.total, row_number() OVER w AS n, sum(i.total) OVER w AS entries
        FROM (SELECT m.* FROM imports m WHERE m.created_at < before ORDER BY m.created_at LIMIT batch) i
        WINDOW w AS (ORDER BY i.created_at, i.org_id, i.id)
    ) x WHERE dry OR x.entries - x.total < batch;
    IF NOT dry THEN
        DELETE FROM import_results r USING unnest(orgs, ids) AS k (org_id, id) WHERE r.org_id = k.org_id AND r.import_id = k.id;
        DELETE FROM import_chunks c USING unnest(orgs, ids) AS k (org_id, id) WHERE c.org_id = k.org_id AND c.import_id = k.id;
        DELETE FROM imports i USING unnest(orgs, ids) AS k (org_id, id) WHERE i.org_id = k.org_id AND i.id = k.id;
    END IF;
    counted := coalesce(cardinality(ids), 0);
END
$$;

CREATE FUNCTION forget_template_changes(before timestamptz, batch integer, dry boolean, OUT counted integer)
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
    SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off
AS $$
BEGIN
    WITH doomed AS MATERIALIZED (
        SELECT c.org_id, c.id FROM recurring_order_changes c WHERE c.created_at < before ORDER BY c.created_at LIMIT batch
    ), gone AS (
        DELETE FROM recurring_order_changes c USING doomed d WHERE NOT dry AND c.org_id = d.org_id AND c.id = d.id
    ) SELECT count(*) INTO counted FROM doomed;
END
$$;

-- Of a message, its texts go, and what its provider answered: that it was sent, to
-- whom and what became of it stays.
CREATE FUNCTION forget_message_texts(before timestamptz, batch integer, dry boolean, OUT counted integer)
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
    SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off
AS $$
BEGIN
    WITH doomed AS MATERIALIZED (
        SELECT n.org_id, n.id FROM notifications n
        WHERE n.created_at < before AND (n.body <> '' OR n.body_html <> '' OR n.subject <> '')
        ORDER BY n.created_at LIMIT batch
    ), emptied AS (
        UPDATE notifications n SET subject = '', body = '', body_html = ''
        FROM doomed d WHERE NOT dry AND n.org_id = d.org_id AND n.id = d.id
    ), answered AS (
        UPDATE notification_steps s SET answer = ''
        FROM doomed d WHERE NOT dry AND s.org_id = d.org_id AND s.notification_id = d.id AND s.answer <> ''
    ) SELECT count(*) INTO counted FROM doomed;
END
$$;

-- A version that the carrier has acknowledged is needed until it has acknowledged a
-- newer one, or its export is closed for good. Its token and fingerprint stay.
CREATE FUNCTION forget_export_payloads(before timestamptz, batch integer, dry boolean, OUT counted integer)
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
    SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off
AS $$
BEGIN
    WITH doomed AS MATERIALIZED (
        SELECT v.org_id, v.order_id, v.version FROM export_versions v
        CROSS JOIN LATERAL (
            SELECT FROM order_exports e WHERE e.org_id = v.org_id AND e.order_id = v.order_id
                AND (v.version < e.exported_version OR e.state = 'closed' AND e.reason <> 'left' AND e.updated_at < before)
            OFFSET 0) e
        WHERE v.offered_at < before AND v.payload <> '' ORDER BY v.offered_at LIMIT batch
    ), emptied AS (
        UPDATE export_versions v SET payload = '' FROM doomed d
        WHERE NOT dry AND v.org_id = d.org_id AND v.order_id = d.order_id AND v.version = d.version
    ) SELECT count(*) INTO counted FROM doomed;
END
$$;

-- What a carrier's report says stays; only its wording goes.
CREATE FUNCTION forget_carrier_bodies(before timestamptz, batch integer, dry boolean, OUT counted integer)
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
    SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off
AS $$
BEGIN
    WITH doomed AS MATERIALIZED (
        SELECT u.org_id, u.id FROM external_updates u WHERE u.received_at < before AND u.raw_body <> ''
        ORDER BY u.received_at LIMIT batch
    ), emptied AS (
        UPDATE external_updates u SET raw_body = '' FROM doomed d WHERE NOT dry AND u.org_id = d.org_id AND u.id = d.id
    ) SELECT count(*) INTO counted FROM doomed;
END
$$;

CREATE FUNCTION forget_tracking_links(before timestamptz, batch integer, dry boolean, OUT counted integer)
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
    SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off
AS $$
BEGIN
    WITH doomed AS MATERIALIZED (
        SELECT l.org_id, l.code FROM tracking_links l WHERE l.expires_at < before ORDER BY l.expires_at LIMIT batch
    ), gone AS (
        DELETE FROM tracking_links l USING doomed d WHERE NOT dry AND l.org_id = d.org_id AND l.code = d.code
    ) SELECT count(*) INTO counted FROM doomed;
END
$$;

-- The telephone with which a driver did something is named by what he did.
CREATE FUNCTION forget_sessions(before timestamptz, batch integer, dry boolean, OUT counted integer)
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
    SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off
AS $$
BEGIN
    WITH doomed AS MATERIALIZED (
        SELECT s.org_id, s.id FROM sessions s
        WHERE s.expires_at < before
          AND NOT EXISTS (SELECT FROM driver_actions a WHERE a.org_id = s.org_id AND a.device_id = s.id)
        ORDER BY s.expires_at LIMIT batch
    ), gone AS (
        DELETE FROM sessions s USING doomed d WHERE NOT dry AND s.org_id = d.org_id AND s.id = d.id
    ) SELECT count(*) INTO counted FROM doomed;
END
$$;

CREATE FUNCTION forget_account_codes(before timestamptz, batch integer, dry boolean, OUT counted integer)
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
    SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off
AS $$
BEGIN
    WITH doomed AS MATERIALIZED (
        SELECT c.org_id, c.id FROM account_codes c WHERE c.expires_at < before ORDER BY c.expires_at LIMIT batch
    ), gone AS (
        DELETE FROM account_codes c USING doomed d WHERE NOT dry AND c.org_id = d.org_id AND c.id = d.id
    ) SELECT count(*) INTO counted FROM doomed;
END
$$;

-- Legs are replaced as long as somebody plans; those of an organization that plans
-- no more stay otherwise.
CREATE FUNCTION forget_travel_legs(before timestamptz, batch integer, dry boolean, OUT counted integer)
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
    SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off
AS $$
BEGIN
    WITH doomed AS MATERIALIZED (
        SELECT l.* FROM organizations o CROSS JOIN LATERAL (
            SELECT t.org_id, t.provider, t.profile, t.from_cell, t.to_cell FROM travel_legs t
            WHERE t.org_id = o.id AND t.found_at < before ORDER BY t.found_at LIMIT batch) l
        LIMIT batch
    ), gone AS (
        DELETE FROM travel_legs t USING doomed d
        WHERE NOT dry AND t.org_id = d.org_id AND t.provider = d.provider AND t.profile = d.profile
            AND t.from_cell = d.from_cell AND t.to_cell = d.to_cell
    ) SELECT count(*) INTO counted FROM doomed;
END
$$;

-- Documents of which the bytes never came, and those that nothing refers to. The
-- bytes follow: then nothing refers to them. Those that something refers to are not
-- looked at again, so that seen may be more than what goes.
CREATE FUNCTION forget_documents(before timestamptz, batch integer, dry boolean, OUT counted integer, OUT seen integer)
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
    SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off
AS $$
BEGIN
    WITH found AS MATERIALIZED (
        SELECT d.org_id, d.id,
            EXISTS (SELECT FROM order_documents a WHERE a.org_id = d.org_id AND a.document_id = d.id)
            OR EXISTS (SELECT FROM draft_documents a WHERE a.org_id = d.org_id AND a.document_id = d.id) AS held
        FROM documents d WHERE d.loose_since < before ORDER BY d.loose_since LIMIT batch FOR UPDATE SKIP LOCKED
    ), kept AS (
        UPDATE documents d SET loose_since = NULL FROM found s WHERE NOT dry AND s.held AND d.org_id = s.org_id AND d.id = s.id
    ), gone AS (
        DELETE FROM documents d USING found s WHERE NOT dry AND NOT s.held AND d.org_id = s.org_id AND d.id = s.id
    ) SELECT count(*) FILTER (WHERE NOT held), count(*) INTO counted, seen FROM found;
END
$$;

-- Idempotency keys, tallies of messages, challenges of signing in and failures to
-- sign in are no use to anybody after a moment.
CREATE FUNCTION forget_keys(before timestamptz, batch integer, dry boolean, OUT counted integer)
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
    SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off
AS $$
BEGIN
    WITH doomed AS MATERIALIZED (
        SELECT k.org_id, k.operation, k.caller, k.key FROM idempotency_keys k
        WHERE k.expires_at < before ORDER BY k.expires_at LIMIT batch FOR UPDATE SKIP LOCKED
    ), gone AS (
        DELETE FROM idempotency_keys k USING doomed d
        WHERE NOT dry AND k.org_id = d.org_id AND k.operation = d.operation AND k.caller = d.caller AND k.key = d.key
    ) SELECT count(*) INTO counted FROM doomed;
END
$$;

CREATE FUNCTION forget_tallies(before timestamptz, batch integer, dry boolean, OUT counted integer)
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
    SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off
AS $$
BEGIN
    WITH doomed AS MATERIALIZED (
        SELECT t.org_id, t.day, t.channel, t.receiver FROM message_tallies t
        WHERE t.day < (before AT TIME ZONE 'UTC')::date ORDER BY t.day LIMIT batch FOR UPDATE SKIP LOCKED
    ), gone AS (
        DELETE FROM message_tallies t USING doomed d
        WHERE NOT dry AND t.org_id = d.org_id AND t.day = d.day AND t.channel = d.channel AND t.receiver = d.receiver
    ) SELECT count(*) INTO counted FROM doomed;
END
$$;

CREATE FUNCTION forget_sign_ins(before timestamptz, batch integer, dry boolean, OUT counted integer)
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
AS $$
BEGIN
    WITH challenged AS MATERIALIZED (
        SELECT c.id FROM sign_in_challenges c WHERE c.expires_at < before ORDER BY c.expires_at LIMIT batch
    ), gone AS (
        DELETE FROM sign_in_challenges c USING challenged d WHERE NOT dry AND c.id = d.id
    ), failed AS MATERIALIZED (
        SELECT f.subject FROM sign_in_failures f WHERE f.next_try_at < before LIMIT batch
    ), forgiven AS (
        DELETE FROM sign_in_failures f USING failed d WHERE NOT dry AND f.subject = d.subject
    ) SELECT (SELECT count(*) FROM challenged) + (SELECT count(*) FROM failed) INTO counted;
END
$$;

-- Events that a follower left out: what they were about is gone with them.
CREATE FUNCTION forget_parked_events(before timestamptz, batch integer, dry boolean, OUT counted integer)
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
AS $$
BEGIN
    WITH doomed AS MATERIALIZED (
        SELECT p.org_id, p.follower, p.event_id FROM parked_events p WHERE p.parked_at < before LIMIT batch
    ), gone AS (
        DELETE FROM parked_events p USING doomed d
        WHERE NOT dry AND p.org_id = d.org_id AND p.follower = d.follower AND p.event_id = d.event_id
    ) SELECT count(*) INTO counted FROM doomed;
END
$$;

-- As in 00083_housekeeping.sql, and may only count.
DROP FUNCTION forget_positions(timestamptz, integer);
CREATE FUNCTION forget_positions(before timestamptz, batch integer, dry boolean, OUT counted integer)
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
AS $$
BEGIN
    WITH doomed AS MATERIALIZED (
        SELECT p.org_id, p.driver_id, p.at
        FROM driver_whereabouts w CROSS JOIN LATERAL (
            SELECT x.org_id, x.driver_id, x.at FROM driver_positions x
            WHERE x.org_id = w.org_id AND x.driver_id = w.driver_id AND x.at < forget_positions.before
            ORDER BY x.at LIMIT batch
        ) p
        LIMIT batch
    ), gone AS (
        DELETE FROM driver_positions p USING doomed d
        WHERE NOT dry AND p.org_id = d.org_id AND p.driver_id = d.driver_id AND p.at = d.at
    ) SELECT count(*) INTO counted FROM doomed;
END
$$;
-- +goose StatementEnd
-- Releases until v0.2.0 call forget_idempotency_keys.
DROP FUNCTION forget_message_tallies(date, integer);

-- Of these keys of the object storage, those that nothing refers to. A key says
-- itself which row would.
-- +goose StatementBegin
CREATE FUNCTION unreferenced_files(keys text[]) RETURNS SETOF text
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp
AS $$
BEGIN
    RETURN QUERY SELECT k.key FROM (
        SELECT x.key, split_part(x.key, '/', 1)::bigint AS org, split_part(x.key, '/', 2) AS kind, split_part(x.key, '/', 3) AS name
        FROM unnest(keys) AS x (key) WHERE x.key ~ '^\d{1,18}/(documents/\d{1,18}|pictures/[0-9a-f]{64})/[A-Z2-7]+$' OFFSET 0
    ) k
    WHERE NOT CASE k.kind WHEN 'documents' THEN EXISTS (
            SELECT FROM documents d WHERE d.org_id = k.org AND d.id = k.name::bigint AND d.storage_key = k.key)
        ELSE EXISTS (
            SELECT FROM proof_pictures p WHERE p.org_id = k.org AND p.sha256 = decode(k.name, 'hex') AND p.storage_key = k.key)
        END;
END
$$;

DO $$
DECLARE
    f regprocedure;
BEGIN
    FOR f IN SELECT p.oid FROM pg_proc p WHERE p.pronamespace = 'public'::regnamespace
        AND (p.proname LIKE 'forget\_%' OR p.proname = 'unreferenced_files')
    LOOP
        EXECUTE format('REVOKE EXECUTE ON FUNCTION %s FROM PUBLIC', f);
        EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO waybill_app', f);
    END LOOP;
END
$$;
-- +goose StatementEnd
