-- Written by make schema from the migrations, with Postgres 15.

CREATE EXTENSION IF NOT EXISTS btree_gin WITH SCHEMA public;

COMMENT ON EXTENSION btree_gin IS 'support for indexing common datatypes in GIN';

CREATE EXTENSION IF NOT EXISTS fuzzystrmatch WITH SCHEMA public;

COMMENT ON EXTENSION fuzzystrmatch IS 'determine similarities and distance between strings';

CREATE EXTENSION IF NOT EXISTS pg_trgm WITH SCHEMA public;

COMMENT ON EXTENSION pg_trgm IS 'text similarity measurement and index searching based on trigrams';

CREATE FUNCTION activity_since(since timestamp with time zone, organization bigint, most integer) RETURNS TABLE(org_id bigint, slug text, kind text, events bigint, bytes bigint, is_whole boolean)
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET jit TO 'off'
    SET enable_seqscan TO 'off'
    SET enable_sort TO 'off'
    AS $$
BEGIN
    RETURN QUERY
    WITH newest AS MATERIALIZED (
        SELECT e.org_id, e.kind, e.recorded_at, pg_column_size(e.*) AS size FROM events e
        WHERE e.kind <> '' AND e.position IS NOT NULL
          AND e.recorded_at >= activity_since.since - interval '5 minutes'
        ORDER BY e.position DESC LIMIT activity_since.most
    )
    SELECT n.org_id, o.slug, n.kind, count(*), sum(n.size)::bigint,
        (SELECT count(*) < activity_since.most FROM newest)
    FROM newest n JOIN organizations o ON o.id = n.org_id
    WHERE n.recorded_at >= activity_since.since AND activity_since.organization IN (0, n.org_id)
    GROUP BY n.org_id, o.slug, n.kind;
END
$$;

CREATE FUNCTION aging_organizations(after bigint) RETURNS TABLE(id bigint, keep_days integer)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
    SELECT o.id, o.keep_orders_days FROM organizations o
    WHERE o.keep_orders_days IS NOT NULL AND o.closed_at IS NULL AND o.id > aging_organizations.after ORDER BY o.id
$$;

CREATE FUNCTION begun_route(org bigint, driver bigint, day date) RETURNS bigint
    LANGUAGE plpgsql STABLE
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
DECLARE
    ids   bigint[];
    begun bigint;
BEGIN
    SELECT array_agg(p.id) INTO ids
    FROM plans p JOIN plan_routes r ON r.org_id = p.org_id AND r.plan_id = p.id AND r.driver_id = driver
    WHERE p.org_id = org AND p.day = begun_route.day;
    IF ids IS NULL THEN
        RETURN NULL;
    END IF;
    SELECT p.id INTO begun
    FROM plans p JOIN drivers d ON d.org_id = p.org_id AND d.id = driver
    WHERE p.org_id = org AND p.id = ANY (ids) AND EXISTS (
        SELECT FROM plan_stops s JOIN orders o ON o.org_id = s.org_id AND o.id = s.order_id
        WHERE s.org_id = org AND s.plan_id = p.id AND s.driver_id = driver
          AND o.driver_id = driver AND o.status_id BETWEEN 3 AND 7)
    ORDER BY p.department_id IS NOT DISTINCT FROM d.department_id, p.id LIMIT 1;
    IF begun IS NULL AND cardinality(ids) = 1 AND EXISTS (SELECT FROM driver_days y
        WHERE y.org_id = org AND y.driver_id = driver AND y.day = begun_route.day AND y.started_at IS NOT NULL) THEN
        RETURN ids[1];
    END IF;
    RETURN begun;
END
$$;

CREATE FUNCTION breaks_document(org bigint, breaks jsonb) RETURNS jsonb
    LANGUAGE sql STABLE
    AS $$
    SELECT coalesce(jsonb_agg(jsonb_build_object('startsAt', x.b->'starts', 'endsAt', x.b->'ends')
        || CASE WHEN x.b ? 'place' THEN jsonb_build_object('location', jsonb_build_object(
            'id', x.b->'place'->'locationId', 'name', coalesce(l.name, ''),
            'latitude', x.b->'place'->'latitude', 'longitude', x.b->'place'->'longitude',
            'drivingSeconds', x.b->'place'->'drivingSeconds', 'meters', x.b->'place'->'meters')) ELSE '{}' END
        ORDER BY x.b->>'starts'), '[]')
    FROM jsonb_array_elements(breaks) x(b)
    LEFT JOIN locations l ON l.org_id = org AND l.id = (x.b->'place'->>'locationId')::bigint
$$;

CREATE FUNCTION calendars_of(org bigint) RETURNS jsonb
    LANGUAGE sql STABLE
    AS $$
    SELECT coalesce(jsonb_agg(jsonb_build_object('id', k.id, 'name', k.name, 'closed', k.closed) ORDER BY k.id), '[]')
    FROM calendars k WHERE k.org_id = org AND k.is_active
$$;

COMMENT ON FUNCTION calendars_of(org bigint) IS 'The active calendars of an organization, as one document.';

CREATE FUNCTION carrier_secret_is_shared(variable text) RETURNS boolean
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
    SELECT count(DISTINCT org_id) > 1 FROM carriers WHERE secret_env = variable
$$;

CREATE FUNCTION chain_proof(org bigint, proof bigint, open text, at integer) RETURNS void
    LANGUAGE plpgsql
    AS $$
DECLARE
    last  proof_chains;
    whole text;
    sum   bytea;
BEGIN
    INSERT INTO proof_chains (org_id, seq, hash) VALUES (org, 0, decode(repeat('00', 32), 'hex')) ON CONFLICT DO NOTHING;
    SELECT * INTO last FROM proof_chains c WHERE c.org_id = org FOR UPDATE;
    whole := overlay(open PLACING encode(last.hash, 'hex') FROM at FOR 64);
    sum := sha256(convert_to(whole, 'UTF8'));
    UPDATE completion_proofs p SET seq = last.seq + 1, manifest = whole, hash = sum WHERE p.org_id = org AND p.id = proof;
    UPDATE proof_chains c SET seq = last.seq + 1, hash = sum WHERE c.org_id = org;
    INSERT INTO events (org_id, kind, subject_type, subject_id, order_id, data)
    SELECT p.org_id, 'order.proved', 'order', p.order_id, p.order_id,
        jsonb_build_object('seq', p.seq, 'sha256', encode(p.hash, 'hex'))
    FROM completion_proofs p WHERE p.org_id = org AND p.id = proof;
END
$$;

CREATE FUNCTION changes_behind(after bigint, batch integer) RETURNS TABLE(org_id bigint, "position" bigint, kind text, subject_type text, subject_id bigint, order_id bigint, driver_id bigint)
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET jit TO 'off'
    AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    SELECT e.org_id, e.position, e.kind, e.subject_type, e.subject_id, e.order_id, e.driver_id
    FROM events e
    WHERE e.position > changes_behind.after AND e.kind <> ''
    ORDER BY e.position
    LIMIT changes_behind.batch;
END
$$;

CREATE FUNCTION clock_text(minute smallint) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN to_char(make_interval(mins => (minute)::integer), 'HH24:MI'::text);

COMMENT ON FUNCTION clock_text(minute smallint) IS 'A minute of the day as HH:MM.';

CREATE FUNCTION closed_organizations() RETURNS SETOF bigint
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$ SELECT id FROM organizations o WHERE o.closed_at IS NOT NULL $$;

CREATE FUNCTION fold_text(written text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN btrim(regexp_replace(replace(replace(replace(replace(translate(lower(written), 'ØøÅåÄäÖöÜüÉéÈèÊêËëÁáÀàÂâÃãÍíÌìÎîÏïÓóÒòÔôÕõÚúÙùÛûÑñÇçÝýŠšŽžČčĆćŚśŻżŹźŃńĘęĄąŁłÐðĐđ'::text, 'ooaaaaoouueeeeeeeeaaaaaaaaiiiiiiiioooooooouuuuuunnccyysszzccccsszzzznneeaalldddd'::text), 'Æ'::text, 'ae'::text), 'æ'::text, 'ae'::text), 'ß'::text, 'ss'::text), 'aa'::text, 'a'::text), '[^[:alnum:]+]+'::text, ' '::text, 'g'::text));

CREATE FUNCTION compact_text(written text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN replace(fold_text(written), ' '::text, ''::text);

CREATE FUNCTION contact_of(org bigint, for_order bigint, called text, stop text, place integer) RETURNS jsonb
    LANGUAGE plpgsql STABLE
    AS $$
BEGIN
    RETURN (SELECT to_jsonb(c) FROM contacts_of(org, for_order, called, stop) c WHERE c.seq = place);
END
$$;

CREATE FUNCTION contacts_of(org bigint, for_order bigint, called text, stop text) RETURNS TABLE(seq integer, id bigint, first_name text, last_name text, phone_number text, email_address text)
    LANGUAGE sql STABLE
    AS $$
    WITH own AS (
        SELECT e.own -> initcap(stop) -> 'Contacts' AS contacts FROM erp_orders e
        WHERE e.org_id = org AND e.number = called AND e.own IS NOT NULL
    )
    SELECT c.place::int - 1, NULL::bigint, c.contact ->> 'firstName', c.contact ->> 'lastName',
        c.contact ->> 'phoneNumber', c.contact ->> 'emailAddress'
    FROM own CROSS JOIN LATERAL jsonb_array_elements(CASE jsonb_typeof(own.contacts) WHEN 'array' THEN own.contacts ELSE '[]' END)
        WITH ORDINALITY AS c (contact, place)
    UNION ALL
    SELECT c.seq::int, c.id, c.first_name, c.last_name, c.phone_number, c.email_address
    FROM order_stops s JOIN stop_contacts c ON c.org_id = s.org_id AND c.stop_id = s.id
    WHERE s.org_id = org AND s.kind = contacts_of.stop AND NOT EXISTS (SELECT FROM own)
      AND s.order_id = coalesce((SELECT n.order_id FROM order_numbers n WHERE n.org_id = org AND n.number = called), for_order)
$$;

CREATE FUNCTION containing(term text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN (('%'::text || regexp_replace(term, '([\\%_])'::text, '\\\1'::text, 'g'::text)) || '%'::text);

CREATE FUNCTION count_rule_change() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    UPDATE organizations SET rules_version = rules_version + 1 WHERE id = coalesce(NEW.org_id, OLD.org_id);
    RETURN NULL;
END
$$;

CREATE FUNCTION create_builtin_roles() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
BEGIN
    INSERT INTO roles (org_id, name, base, is_builtin)
    SELECT NEW.id, b.name, b.name, true FROM unnest(ARRAY['admin', 'dispatcher', 'support', 'driver']) AS b (name);
    RETURN NEW;
END
$$;

CREATE FUNCTION create_order_serial() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
BEGIN
    EXECUTE format('CREATE SEQUENCE order_serial_%s', NEW.id);
    EXECUTE format('GRANT USAGE ON SEQUENCE order_serial_%s TO waybill_app', NEW.id);
    RETURN NEW;
END
$$;

CREATE FUNCTION current_org() RETURNS bigint
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN (NULLIF(current_setting('app.org_id'::text, true), ''::text))::bigint;

COMMENT ON FUNCTION current_org() IS 'The organization of this session; null, so that nothing is visible, when none is named.';

CREATE FUNCTION day_under_way(org bigint, driver bigint, at timestamp with time zone) RETURNS date
    LANGUAGE sql STABLE
    AS $$
    SELECT coalesce(simulated_day(org, at), night_under_way(org, driver, at, false), (at AT TIME ZONE o.timezone)::date)
    FROM organizations o WHERE o.id = org
$$;

CREATE FUNCTION drive_day(org bigint, driver bigint, day date) RETURNS TABLE(approaching_minutes integer, until timestamp with time zone, break_starts_at timestamp with time zone, break_ends_at timestamp with time zone, heard_at timestamp with time zone, ended_at timestamp with time zone, simulated boolean)
    LANGUAGE plpgsql STABLE
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
#variable_conflict use_variable
DECLARE
    never CONSTANT timestamptz := '0001-01-01 00:00:00+00';
    zone   text;
    begins timestamptz;
    since  timestamptz;
    acted  timestamptz;
    gone   timestamptz;
    before record;
    run    record;
BEGIN
    SELECT o.approaching_minutes, o.timezone INTO approaching_minutes, zone FROM organizations o WHERE o.id = org;
    IF zone IS NULL THEN
        RETURN;
    END IF;
    SELECT r.starts_at, r.ends_at + interval '3 hours', r.break_starts_at, r.break_ends_at
        INTO begins, until, break_starts_at, break_ends_at
    FROM plan_routes r JOIN plans p ON p.org_id = r.org_id AND p.id = r.plan_id
    WHERE r.org_id = org AND r.driver_id = driver AND r.plan_id = route_of_day(org, driver, drive_day.day);
    until := greatest(until, (drive_day.day + 1)::timestamp AT TIME ZONE zone);
    since := drive_day.day::timestamp AT TIME ZONE zone;
    SELECT r.ends_at, coalesce(y.ended_at + interval '1 microsecond', r.ends_at + interval '3 hours') AS done INTO before
    FROM plan_routes r JOIN plans p ON p.org_id = r.org_id AND p.id = r.plan_id
    LEFT JOIN driver_days y ON y.org_id = r.org_id AND y.driver_id = r.driver_id AND y.day = p.day
    WHERE r.org_id = org AND r.driver_id = driver AND r.plan_id = route_of_day(org, driver, drive_day.day - 1);
    IF before.done > since THEN
        since := greatest(since, least(before.done, begins, (SELECT y.started_at FROM driver_days y
            WHERE y.org_id = org AND y.driver_id = driver AND y.day = drive_day.day)));
    END IF;
    until := least(until, (SELECT y.started_at FROM driver_days y
        WHERE y.org_id = org AND y.driver_id = driver AND y.day = drive_day.day + 1 AND y.started_at > since));
    simulated := false;
    FOR run IN SELECT v.started_at, v.ended_at FROM sandbox_runs v
        WHERE v.org_id = org AND v.day = drive_day.day ORDER BY v.id DESC LIMIT 1
    LOOP
        simulated := true;
        since := run.started_at;
        gone := run.ended_at;
        until := greatest(until, now() + interval '1 day');
    END LOOP;
    SELECT max(a.received_at), max(a.occurred_at) FILTER (WHERE a.type <> 'END_ROUTE'),
        max(a.occurred_at) FILTER (WHERE a.type = 'END_ROUTE') INTO heard_at, acted, ended_at
    FROM driver_actions a
    WHERE a.org_id = org AND a.driver_id = driver AND a.occurred_at >= since AND a.occurred_at < until;
    heard_at := greatest(heard_at, (SELECT w.at FROM driver_whereabouts w
        WHERE w.org_id = org AND w.driver_id = driver AND w.at < until));
    IF ended_at < acted THEN
        ended_at := NULL;
    END IF;
    ended_at := coalesce(ended_at, gone);
    break_starts_at := coalesce(break_starts_at, never);
    break_ends_at := coalesce(break_ends_at, never);
    heard_at := coalesce(heard_at, never);
    ended_at := coalesce(ended_at, never);
    RETURN NEXT;
END
$$;

CREATE FUNCTION drive_days_of_events(orgs bigint[], events bigint[], times timestamp with time zone[]) RETURNS TABLE(org_id bigint, driver_id bigint, day date)
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET jit TO 'off'
    AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    SELECT DISTINCT x.org_id, x.driver_id, driving_day(x.org_id, x.driver_id, x.at)
    FROM (
        SELECT e.org_id, coalesce(e.driver_id, o.driver_id) AS driver_id, coalesce(e.occurred_at, e.recorded_at) AS at
        FROM unnest(drive_days_of_events.orgs, drive_days_of_events.events, drive_days_of_events.times) AS w (org_id, id, at)
        JOIN events e ON e.org_id = w.org_id AND e.id = w.id AND e.recorded_at = w.at
        LEFT JOIN orders o ON o.org_id = e.org_id AND o.id = e.order_id
    ) x
    WHERE x.driver_id IS NOT NULL AND EXISTS (SELECT FROM driver_actions a
        WHERE a.org_id = x.org_id AND a.driver_id = x.driver_id
          AND a.occurred_at BETWEEN x.at - interval '24 hours' AND x.at + interval '1 hour')
    ORDER BY 1, 2, 3;
END
$$;

CREATE FUNCTION driven_travel(org bigint, first date, last date) RETURNS TABLE(day date, driver_id bigint, from_country text, from_code text, to_country text, to_code text, left_at timestamp with time zone, arrived_at timestamp with time zone, seconds integer)
    LANGUAGE sql STABLE
    AS $$
    WITH days AS MATERIALIZED (
        SELECT p.id, p.day, v.clock_from, v.clock_since, v.pace
        FROM plans p LEFT JOIN LATERAL (
            SELECT v.clock_from, v.clock_since, v.pace FROM sandbox_runs v
            WHERE v.org_id = org AND v.day = p.day AND v.clock_from IS NOT NULL ORDER BY v.id DESC LIMIT 1
        ) v ON true
        WHERE p.org_id = org AND p.day BETWEEN first AND last
    ), stops AS (
        SELECT d.id, d.day, s.driver_id, s.seq, coalesce(a.country, '') AS country, coalesce(a.postal_code, '') AS code,
            CASE WHEN d.pace IS NULL THEN t.arrived ELSE d.clock_from + (t.arrived - d.clock_since) * d.pace END AS arrived,
            CASE WHEN d.pace IS NULL THEN t.ended ELSE d.clock_from + (t.ended - d.clock_since) * d.pace END AS ended
        FROM days d
        JOIN plan_stops s ON s.org_id = org AND s.plan_id = d.id
        JOIN order_stops a ON a.org_id = org AND a.order_id = s.order_id AND a.kind = s.kind
        JOIN order_progress g ON g.org_id = org AND g.order_id = s.order_id
        CROSS JOIN LATERAL (SELECT
            CASE s.kind WHEN 'pickup' THEN g.pickup_arrived_at ELSE g.delivery_arrived_at END AS arrived,
            CASE s.kind WHEN 'pickup' THEN g.pickup_ended_at ELSE g.delivery_ended_at END AS ended) t
        WHERE t.ended IS NOT NULL
    ), legs AS (
        SELECT s.*, lag(s.seq) OVER route AS before, lag(s.ended) OVER route AS left_at, lag(s.country) OVER route AS from_country,
            lag(s.code) OVER route AS from_code
        FROM stops s WINDOW route AS (PARTITION BY s.id, s.driver_id ORDER BY s.ended, s.seq)
    )
    SELECT l.day, l.driver_id, l.from_country, l.from_code, l.country, l.code, l.left_at, l.arrived, w.seconds
    FROM legs l
    JOIN (SELECT d.id, w.driver_id, w.seq, w.seconds FROM days d CROSS JOIN LATERAL ways_of_plan(org, d.id, NULL) w
        WHERE w.seconds > 0) w ON w.id = l.id AND w.driver_id = l.driver_id AND w.seq = l.seq
    JOIN plan_routes r ON r.org_id = org AND r.plan_id = l.id AND r.driver_id = l.driver_id
    WHERE l.before = l.seq - 1 AND l.arrived > l.left_at AND NOT EXISTS (
        SELECT FROM jsonb_array_elements(r.breaks) b
        WHERE (b ->> 'starts')::timestamptz < l.arrived AND (b ->> 'ends')::timestamptz > l.left_at)
    ORDER BY l.day, l.driver_id, l.left_at
$$;

CREATE FUNCTION driven_visits(org bigint, first date, last date) RETURNS TABLE(day date, driver_id bigint, location_id bigint, order_type_id bigint, orders integer, seconds integer)
    LANGUAGE sql STABLE
    AS $$
    WITH days AS MATERIALIZED (
        SELECT p.id, p.day, v.clock_from, v.clock_since, v.pace
        FROM plans p LEFT JOIN LATERAL (
            SELECT v.clock_from, v.clock_since, v.pace FROM sandbox_runs v
            WHERE v.org_id = org AND v.day = p.day AND v.clock_from IS NOT NULL ORDER BY v.id DESC LIMIT 1
        ) v ON true
        WHERE p.org_id = org AND p.day BETWEEN first AND last
    ), stops AS (
        SELECT d.id, d.day, s.driver_id, s.seq, s.latitude, s.longitude, s.setup_seconds, a.location_id, a.earliest,
            o.order_type_id, t.status = 'completed' AND a.estimated_time_on_location IS NULL AS tells,
            CASE WHEN d.pace IS NULL THEN t.arrived ELSE d.clock_from + (t.arrived - d.clock_since) * d.pace END AS arrived,
            CASE WHEN d.pace IS NULL THEN t.ended ELSE d.clock_from + (t.ended - d.clock_since) * d.pace END AS ended
        FROM days d
        JOIN plan_stops s ON s.org_id = org AND s.plan_id = d.id
        JOIN order_stops a ON a.org_id = org AND a.order_id = s.order_id AND a.kind = s.kind
        JOIN orders o ON o.org_id = org AND o.id = s.order_id
        JOIN order_progress g ON g.org_id = org AND g.order_id = s.order_id
        CROSS JOIN LATERAL (SELECT
            CASE s.kind WHEN 'pickup' THEN g.pickup_status ELSE g.delivery_status END AS status,
            CASE s.kind WHEN 'pickup' THEN g.pickup_arrived_at ELSE g.delivery_arrived_at END AS arrived,
            CASE s.kind WHEN 'pickup' THEN g.pickup_ended_at ELSE g.delivery_ended_at END AS ended) t
        WHERE t.ended IS NOT NULL
    ), places AS (
        SELECT s.*, (lag(s.latitude) OVER route, lag(s.longitude) OVER route) IS DISTINCT FROM (s.latitude, s.longitude) AS enters
        FROM stops s WINDOW route AS (PARTITION BY s.id, s.driver_id ORDER BY s.ended, s.seq)
    ), numbered AS (
        SELECT s.*, count(*) FILTER (WHERE s.enters) OVER (PARTITION BY s.id, s.driver_id ORDER BY s.ended, s.seq) AS visit
        FROM places s
    ), visits AS (
        SELECT s.id, s.day, s.driver_id, min(s.location_id) AS location_id, count(*)::integer AS orders,
            CASE WHEN min(s.order_type_id) = max(s.order_type_id) THEN min(s.order_type_id) ELSE 0 END AS order_type_id,
            min(s.arrived) AS arrived, max(s.ended) AS ended
        FROM numbered s GROUP BY s.id, s.day, s.driver_id, s.visit
        HAVING bool_and(s.tells) AND min(s.location_id) = max(s.location_id)
            -- Plans have drivers come so early that they are ready when a window begins.
            AND max(s.earliest) <= min(s.arrived) + (max(s.setup_seconds) + 60) * interval '1 second'
    )
    SELECT v.day, v.driver_id, v.location_id, v.order_type_id, v.orders,
        round(extract(epoch FROM v.ended - v.arrived) - coalesce(y.extra_setup_seconds, 0))::integer
    FROM visits v
    JOIN locations l ON l.org_id = org AND l.id = v.location_id AND l.deleted_at IS NULL
    JOIN plan_routes r ON r.org_id = org AND r.plan_id = v.id AND r.driver_id = v.driver_id
    LEFT JOIN vehicles h ON h.org_id = org AND h.id = r.vehicle_id
    LEFT JOIN vehicle_types y ON y.org_id = org AND y.id = h.vehicle_type_id
    WHERE v.ended > v.arrived AND NOT EXISTS (
        SELECT FROM jsonb_array_elements(r.breaks) b
        WHERE (b ->> 'starts')::timestamptz < v.ended AND (b ->> 'ends')::timestamptz > v.arrived)
    ORDER BY v.day, v.driver_id, v.arrived
$$;

CREATE FUNCTION driven_windows(org bigint, driver bigint, day date) RETURNS TABLE(from_at timestamp with time zone, until_at timestamp with time zone)
    LANGUAGE sql STABLE
    AS $$
    WITH route AS MATERIALIZED (
        SELECT r.plan_id, r.starts_at FROM plan_routes r
        WHERE r.org_id = org AND r.driver_id = driver AND r.plan_id = route_of_day(org, driver, driven_windows.day)
    ), moments AS (
        SELECT coalesce((SELECT y.started_at FROM driver_days y
            WHERE y.org_id = org AND y.driver_id = driver AND y.day = driven_windows.day), r.starts_at) AS at
        FROM route r
        UNION
        SELECT g.at FROM route r
        JOIN plan_stops p ON p.org_id = org AND p.plan_id = r.plan_id AND p.driver_id = driver
        CROSS JOIN LATERAL (
            SELECT CASE p.kind WHEN 'pickup' THEN g.pickup_ended_at ELSE g.delivery_ended_at END AS at FROM order_progress g
            WHERE g.org_id = p.org_id AND g.order_id = p.order_id OFFSET 0
        ) g
        UNION
        SELECT nullif(d.ended_at, '0001-01-01 00:00:00+00') FROM drive_day(org, driver, driven_windows.day) d
    ), legs AS (
        SELECT lag(m.at) OVER (ORDER BY m.at) AS from_at, m.at AS until_at FROM moments m WHERE m.at IS NOT NULL
    )
    SELECT l.from_at, l.until_at FROM legs l WHERE l.from_at IS NOT NULL
$$;

CREATE FUNCTION driver_fixes(org bigint, driver bigint, from_at timestamp with time zone, until_at timestamp with time zone) RETURNS TABLE(at timestamp with time zone, latitude double precision, longitude double precision, accuracy_meters double precision)
    LANGUAGE sql STABLE
    AS $$
    SELECT p.at, p.latitude, p.longitude, p.accuracy_meters FROM driver_positions p
    WHERE p.org_id = org AND p.driver_id = driver AND p.at BETWEEN driver_fixes.from_at AND driver_fixes.until_at
    UNION ALL
    SELECT a.occurred_at, a.latitude, a.longitude, a.accuracy_meters FROM driver_actions a
    WHERE a.org_id = org AND a.driver_id = driver AND a.occurred_at BETWEEN driver_fixes.from_at AND driver_fixes.until_at
      AND a.latitude IS NOT NULL
$$;

CREATE FUNCTION driving_day(org bigint, driver bigint, at timestamp with time zone) RETURNS date
    LANGUAGE plpgsql STABLE
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
DECLARE
    today date;
BEGIN
    SELECT (driving_day.at AT TIME ZONE o.timezone)::date INTO today FROM organizations o WHERE o.id = org;
    RETURN coalesce(simulated_day(org, driving_day.at), night_under_way(org, driver, driving_day.at, false), (
        SELECT max(p.day) FROM plan_routes r JOIN plans p ON p.org_id = r.org_id AND p.id = r.plan_id
        WHERE r.org_id = org AND r.driver_id = driver AND p.day BETWEEN today - 1 AND today), today);
END
$$;

CREATE FUNCTION due_notifications(orgs bigint[], events bigint[], times timestamp with time zone[], names text[]) RETURNS TABLE(org_id bigint, event_id bigint, rule_id bigint, receiver integer, channel text, event text, order_id bigint)
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET jit TO 'off'
    AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    SELECT e.org_id, e.id, r.id, x.ordinal, r.channel, r.event, e.order_id
    FROM unnest(due_notifications.orgs, due_notifications.events, due_notifications.times, due_notifications.names) AS w (org_id, id, at, name)
    JOIN events e ON e.org_id = w.org_id AND e.id = w.id AND e.recorded_at = w.at
    JOIN notification_rules r ON r.org_id = e.org_id AND r.event = w.name AND r.is_active
    CROSS JOIN LATERAL (
        SELECT min(c.seq)::int AS ordinal
        FROM (VALUES (CASE r.receiver WHEN 'DELIVERY_CONTACTS' THEN 'delivery' WHEN 'PICKUP_CONTACTS' THEN 'pickup' END)) AS s (kind)
        CROSS JOIN LATERAL contacts_of(e.org_id, e.order_id, number_of_event(e.kind, e.external_id), s.kind) c
        WHERE (e.stop IS NULL OR e.stop = s.kind)
          AND CASE r.channel WHEN 'EMAIL' THEN c.email_address ELSE c.phone_number END <> ''
        GROUP BY lower(CASE r.channel WHEN 'EMAIL' THEN c.email_address ELSE c.phone_number END)
        UNION ALL
        SELECT 0 FROM orders o JOIN customers u ON u.org_id = o.org_id AND u.id = o.customer_id
        WHERE o.org_id = e.org_id AND o.id = e.order_id AND r.receiver = 'CUSTOMER'
          AND CASE r.channel WHEN 'EMAIL' THEN u.email_address ELSE u.phone_number END <> ''
        UNION ALL
        SELECT 0 WHERE r.receiver = 'ADDRESS'
    ) x
    WHERE NOT coalesce(e.data ? 'left', false)
      AND (NOT coalesce(e.data ? 'series', false) OR r.event NOT IN ('ORDER_CREATED', 'ORDER_CANCELLED')
        OR CASE r.series WHEN 'EACH' THEN true WHEN 'ONCE' THEN e.data -> 'series' ? 'orders' ELSE false END)
      AND (r.event <> 'ORDER_REMINDER' OR r.days_ahead = (e.data ->> 'days')::smallint)
      AND NOT (r.event = 'STOP_ARRIVED' AND coalesce(e.occurred_at, e.recorded_at) < now() - interval '15 minutes')
      AND NOT (r.event = 'STOP_APPROACHING' AND EXISTS (
        SELECT FROM order_stops s
        WHERE s.org_id = e.org_id AND s.order_id = e.order_id AND s.kind = e.stop AND s.send_notification_before_arriving IS FALSE))
    UNION ALL
    SELECT e.org_id, e.id, 0, 0, CASE e.subject_type WHEN 'user' THEN 'EMAIL' ELSE 'SMS' END, w.name, NULL
    FROM unnest(due_notifications.orgs, due_notifications.events, due_notifications.times, due_notifications.names) AS w (org_id, id, at, name)
    JOIN events e ON e.org_id = w.org_id AND e.id = w.id AND e.recorded_at = w.at
    WHERE e.subject_type IN ('user', 'driver') AND e.kind <> 'alert.raised'
    UNION ALL
    SELECT e.org_id, e.id, 0, x.place, 'EMAIL', w.name, NULL
    FROM unnest(due_notifications.orgs, due_notifications.events, due_notifications.times, due_notifications.names) AS w (org_id, id, at, name)
    JOIN events e ON e.org_id = w.org_id AND e.id = w.id AND e.recorded_at = w.at
    CROSS JOIN LATERAL generate_series(1, (e.data ->> 'emails')::int) AS x (place)
    WHERE e.kind = 'alert.raised'
    ORDER BY 1, 2, 3, 4;
END
$$;

CREATE FUNCTION erase_from_orders(wanted bigint[], pattern text, dry boolean) RETURNS SETOF bigint
    LANGUAGE plpgsql
    AS $$
DECLARE
    org    bigint := current_org();
    stops  bigint[];
    places bigint[];
BEGIN
    SELECT array_agg(s.id), array_agg(DISTINCT s.location_id) INTO stops, places
    FROM order_stops s WHERE s.org_id = org AND s.order_id = ANY (wanted);
    RETURN QUERY SELECT DISTINCT s.order_id FROM order_stops s JOIN stop_contacts c ON c.org_id = s.org_id AND c.stop_id = s.id
        WHERE s.org_id = org AND s.order_id = ANY (wanted)
          AND concat_ws(' ', c.first_name, c.last_name, c.phone_number, c.email_address) ~* pattern;
    IF dry THEN
        RETURN;
    END IF;
    PERFORM FROM orders o WHERE o.org_id = org AND o.id = ANY (wanted) ORDER BY o.id FOR NO KEY UPDATE;
    UPDATE order_stops s SET name = erased_text(s.name, pattern), instructions = erased_text(s.instructions, pattern),
        customer_instructions = erased_text(s.customer_instructions, pattern),
        parking_instructions = erased_text(s.parking_instructions, pattern)
    WHERE s.org_id = org AND s.id = ANY (stops)
      AND concat_ws(' ', s.name, s.instructions, s.customer_instructions, s.parking_instructions) ~* pattern;
    UPDATE locations l SET name = erased_text(l.name, pattern), updated_at = now()
    WHERE l.org_id = org AND l.id = ANY (places) AND l.name ~* pattern;
    DELETE FROM location_names n WHERE n.org_id = org AND n.location_id = ANY (places) AND n.name ~* pattern;
    UPDATE orders o SET reference = erased_text(o.reference, pattern), updated_at = now()
    WHERE o.org_id = org AND o.id = ANY (wanted) AND o.reference ~* pattern;
    UPDATE erp_orders e SET own = erased_document(e.own, pattern)
    WHERE e.org_id = org AND e.order_id = ANY (wanted) AND e.own::text ~* pattern;
    UPDATE custom_field_values v SET value = erased_document(v.value, pattern)
    WHERE v.org_id = org AND v.order_id = ANY (wanted) AND v.value::text ~* pattern;
    UPDATE notifications n SET receiver = erased_text(n.receiver, pattern), subject = '', body = '', body_html = ''
    WHERE n.org_id = org AND n.order_id = ANY (wanted)
      AND concat_ws(' ', n.receiver, n.subject, n.body, n.body_html) ~* pattern;
    UPDATE export_versions v SET payload = erased_json(v.payload, pattern)
    WHERE v.org_id = org AND v.order_id = ANY (wanted) AND v.payload ~* pattern;
    UPDATE external_updates u SET signee_name = erased_text(u.signee_name, pattern), label = erased_text(u.label, pattern),
        failure_reason = erased_text(u.failure_reason, pattern), raw_body = erased_json(u.raw_body, pattern)
    WHERE u.org_id = org AND u.order_id = ANY (wanted)
      AND concat_ws(' ', u.signee_name, u.label, u.failure_reason, u.raw_body) ~* pattern;
    UPDATE driver_actions a SET reason = erased_text(a.reason, pattern), comment = erased_text(a.comment, pattern),
        data = erased_document(a.data, pattern)
    WHERE a.org_id = org AND a.order_id = ANY (wanted) AND concat_ws(' ', a.reason, a.comment, a.data) ~* pattern;
    UPDATE order_documentations d SET comment = erased_text(d.comment, pattern)
    WHERE d.org_id = org AND d.order_id = ANY (wanted) AND d.comment ~* pattern;
    UPDATE order_moves m SET reason = erased_text(m.reason, pattern)
    WHERE m.org_id = org AND m.order_id = ANY (wanted) AND m.reason ~* pattern;
    UPDATE order_progress g SET failure_reason = erased_text(g.failure_reason, pattern)
    WHERE g.org_id = org AND g.order_id = ANY (wanted) AND g.failure_reason ~* pattern;
    UPDATE exceptions x SET comment = erased_text(x.comment, pattern)
    WHERE x.org_id = org AND x.order_id = ANY (wanted) AND x.comment ~* pattern;
    UPDATE order_driver_locks l SET reason = erased_text(l.reason, pattern)
    WHERE l.org_id = org AND l.order_id = ANY (wanted) AND l.reason ~* pattern;
    UPDATE order_prohibited_drivers d SET reason = erased_text(d.reason, pattern)
    WHERE d.org_id = org AND d.order_id = ANY (wanted) AND d.reason ~* pattern;
    UPDATE order_product_deliveries d SET reason = erased_text(d.reason, pattern)
    WHERE d.org_id = org AND d.order_id = ANY (wanted) AND d.reason ~* pattern;
    UPDATE order_products p SET name = erased_text(p.name, pattern)
    WHERE p.org_id = org AND p.order_id = ANY (wanted) AND p.name ~* pattern;
    UPDATE export_acknowledgements a SET failure_reason = erased_text(a.failure_reason, pattern)
    WHERE a.org_id = org AND a.order_id = ANY (wanted) AND a.failure_reason ~* pattern;
    UPDATE cargo_carrier_movements m SET signee = erased_text(m.signee, pattern), comment = erased_text(m.comment, pattern)
    WHERE m.org_id = org AND m.order_id = ANY (wanted) AND concat_ws(' ', m.signee, m.comment) ~* pattern;
    UPDATE documents d SET name = erased_text(d.name, pattern)
    FROM order_documents o
    WHERE o.org_id = org AND o.order_id = ANY (wanted) AND d.org_id = o.org_id AND d.id = o.document_id AND d.name ~* pattern;
    -- A signature is of who is named beside it.
    DELETE FROM proof_pictures p USING completion_proofs c
    WHERE c.org_id = org AND c.order_id = ANY (wanted) AND c.signee ~* pattern
      AND p.org_id = c.org_id AND p.sha256 = c.signature_sha256;
    UPDATE completion_proofs p SET signee = erased_text(p.signee, pattern), comment = erased_text(p.comment, pattern),
        manifest = erased_text(p.manifest, pattern), erased_at = now(),
        signature_key = CASE WHEN p.signee ~* pattern THEN NULL ELSE p.signature_key END
    WHERE p.org_id = org AND p.order_id = ANY (wanted) AND concat_ws(' ', p.signee, p.comment) ~* pattern;
    UPDATE stop_contacts c SET first_name = NULL, last_name = NULL, phone_number = NULL, email_address = NULL
    WHERE c.org_id = org AND c.stop_id = ANY (stops)
      AND concat_ws(' ', c.first_name, c.last_name, c.phone_number, c.email_address) ~* pattern;
END
$$;

CREATE FUNCTION erase_rows(tab text, after bigint, batch integer, pattern text, dry boolean, OUT last bigint, OUT counted bigint) RETURNS record
    LANGUAGE plpgsql
    AS $$
DECLARE
    org bigint := current_org();
    ids bigint[];
BEGIN
    IF tab = 'imports' THEN
        SELECT max(i.id) INTO last FROM (
            SELECT x.id FROM imports x WHERE x.org_id = org AND x.id > after ORDER BY x.id LIMIT greatest(batch / 100, 1)) i;
        SELECT count(*) INTO counted FROM import_results r
        WHERE r.org_id = org AND r.import_id > after AND r.import_id <= last AND r.reasons::text ~* pattern;
        IF NOT dry THEN
            UPDATE import_results r SET reasons = erased_document(r.reasons, pattern)
            WHERE r.org_id = org AND r.import_id > after AND r.import_id <= last AND r.reasons::text ~* pattern;
            UPDATE imports i SET defaults = erased_document(i.defaults, pattern)
            WHERE i.org_id = org AND i.id > after AND i.id <= last AND i.defaults::text ~* pattern;
            UPDATE import_chunks c SET entries = convert_to(erased_json(convert_from(c.entries, 'UTF8'), pattern), 'UTF8')
            WHERE c.org_id = org AND c.import_id > after AND c.import_id <= last AND c.entries IS NOT NULL
              AND convert_from(c.entries, 'UTF8') ~* pattern;
        END IF;
    ELSIF tab = 'drafts' THEN
        SELECT max(x.id), array_agg(x.id) FILTER (WHERE concat(x.request, x.defaults, x.reasons) ~* pattern) INTO last, ids FROM (
            SELECT d.* FROM drafts d WHERE d.org_id = org AND d.id > after ORDER BY d.id LIMIT batch) x;
        UPDATE drafts d SET request = erased_document(d.request, pattern), defaults = erased_document(d.defaults, pattern),
            reasons = erased_document(d.reasons, pattern), updated_at = now()
        WHERE NOT dry AND d.org_id = org AND d.id = ANY (ids);
    ELSIF tab = 'templates' THEN
        SELECT max(x.id), array_agg(x.id) FILTER (WHERE x.order_template ~* pattern) INTO last, ids FROM (
            SELECT r.* FROM recurring_orders r WHERE r.org_id = org AND r.id > after ORDER BY r.id LIMIT batch) x;
        UPDATE recurring_orders r SET order_template = erased_json(r.order_template, pattern)
        WHERE NOT dry AND r.org_id = org AND r.id = ANY (ids);
    ELSIF tab = 'template changes' THEN
        SELECT max(x.id), array_agg(x.id) FILTER (WHERE concat(x.change, x.refusal) ~* pattern) INTO last, ids FROM (
            SELECT c.* FROM recurring_order_changes c WHERE c.org_id = org AND c.id > after ORDER BY c.id LIMIT batch) x;
        UPDATE recurring_order_changes c SET change = erased_json(c.change, pattern), refusal = erased_document(c.refusal, pattern)
        WHERE NOT dry AND c.org_id = org AND c.id = ANY (ids);
    ELSIF tab = 'messages' THEN
        SELECT max(x.id), array_agg(x.id) FILTER (
            WHERE concat_ws(' ', x.receiver, x.subject, x.body, x.body_html, x.failure) ~* pattern) INTO last, ids FROM (
            SELECT n.* FROM notifications n WHERE n.org_id = org AND n.id > after ORDER BY n.id LIMIT batch) x;
        UPDATE notifications n SET receiver = erased_text(n.receiver, pattern), subject = '', body = '', body_html = ''
        WHERE NOT dry AND n.org_id = org AND n.id = ANY (ids);
        UPDATE notification_steps s SET answer = ''
        WHERE NOT dry AND s.org_id = org AND s.notification_id = ANY (ids) AND s.answer <> '';
    ELSIF tab = 'customers' THEN
        SELECT max(x.id), array_agg(x.id) FILTER (WHERE concat_ws(' ', x.email_address, x.phone_number) ~* pattern) INTO last, ids FROM (
            SELECT c.* FROM customers c WHERE c.org_id = org AND c.id > after ORDER BY c.id LIMIT batch) x;
        UPDATE customers c SET email_address = CASE WHEN c.email_address ~* pattern THEN NULL ELSE c.email_address END,
            phone_number = CASE WHEN c.phone_number ~* pattern THEN NULL ELSE c.phone_number END, updated_at = now()
        WHERE NOT dry AND c.org_id = org AND c.id = ANY (ids);
    ELSIF tab = 'suppressions' THEN
        SELECT count(*) INTO counted FROM suppressions s WHERE s.org_id = org AND s.address ~* pattern;
        DELETE FROM suppressions s WHERE NOT dry AND s.org_id = org AND s.address ~* pattern;
    END IF;
    counted := coalesce(counted, cardinality(ids), 0);
END
$$;

CREATE FUNCTION erased_document(doc jsonb, pattern text) RETURNS jsonb
    LANGUAGE plpgsql IMMUTABLE
    AS $$
BEGIN
    IF doc IS NULL OR doc::text !~* pattern THEN
        RETURN doc;
    END IF;
    CASE jsonb_typeof(doc)
    WHEN 'string' THEN
        RETURN to_jsonb(erased_text(doc #>> '{}', pattern));
    WHEN 'number' THEN
        RETURN 'null';
    WHEN 'array' THEN
        RETURN (SELECT coalesce(jsonb_agg(erased_document(e.value, pattern) ORDER BY e.n), '[]')
            FROM jsonb_array_elements(doc) WITH ORDINALITY AS e (value, n));
    WHEN 'object' THEN
        RETURN (SELECT jsonb_object_agg(m.key, CASE
                WHEN jsonb_typeof(m.value) = 'string' AND o.is_theirs AND replace(lower(m.key), '_', '') IN (
                    'firstname', 'lastname', 'phonenumber', 'emailaddress', 'signee', 'signeename') THEN '""'
                ELSE erased_document(m.value, pattern) END)
            FROM jsonb_each(doc) m
            CROSS JOIN (SELECT bool_or(jsonb_typeof(x.value) = 'string' AND x.value #>> '{}' ~* pattern) AS is_theirs
                FROM jsonb_each(doc) x) o);
    ELSE
        RETURN doc;
    END CASE;
END
$$;

CREATE FUNCTION erased_json(body text, pattern text) RETURNS text
    LANGUAGE plpgsql IMMUTABLE
    AS $$
BEGIN
    RETURN erased_document(body::jsonb, pattern)::text;
EXCEPTION WHEN data_exception THEN
    RETURN erased_text(body, pattern);
END
$$;

CREATE FUNCTION erased_lines(lines text[], addresses text, pattern text, at timestamp with time zone) RETURNS TABLE(line text, is_erased boolean)
    LANGUAGE sql IMMUTABLE
    AS $$
    SELECT coalesce(e.line, l.line), e.line IS NOT NULL
    FROM unnest(lines) WITH ORDINALITY AS l (line, n)
    LEFT JOIN LATERAL (
        SELECT jsonb_build_object('table', d.doc -> 'table', 'rows', jsonb_object_agg(t.key, t.rows))::text AS line
        FROM (SELECT l.line::jsonb AS doc OFFSET 0) d
        CROSS JOIN LATERAL (
            SELECT x.key, x.value AS before, (SELECT coalesce(jsonb_agg(erased_row(x.key, r.value, pattern, at) ORDER BY r.n), '[]')
                FROM jsonb_array_elements(x.value) WITH ORDINALITY AS r (value, n)) AS rows
            FROM jsonb_each(d.doc -> 'rows') x) t
        WHERE l.line ~* addresses OR d.doc ->> 'table' <> 'orders' AND l.line ~* pattern
        GROUP BY d.doc HAVING bool_or(t.rows <> t.before)
    ) e ON true
    ORDER BY l.n
$$;

CREATE FUNCTION erased_row(tab text, doc jsonb, pattern text, at timestamp with time zone) RETURNS jsonb
    LANGUAGE plpgsql IMMUTABLE
    AS $$
DECLARE
    erased jsonb := erased_document(doc, pattern);
BEGIN
    IF tab = 'stop_contacts' AND concat_ws(' ', doc ->> 'first_name', doc ->> 'last_name', doc ->> 'phone_number',
        doc ->> 'email_address') ~* pattern THEN
        RETURN doc || '{"first_name": null, "last_name": null, "phone_number": null, "email_address": null}';
    ELSIF tab = 'export_versions' AND doc ->> 'payload' ~* pattern THEN
        RETURN doc || jsonb_build_object('payload', erased_json(doc ->> 'payload', pattern));
    ELSIF tab = 'external_updates' AND doc ->> 'raw_body' ~* pattern THEN
        RETURN erased || jsonb_build_object('raw_body', erased_json(doc ->> 'raw_body', pattern));
    ELSIF erased = doc THEN
        RETURN doc;
    ELSIF tab = 'notifications' THEN
        RETURN erased || '{"subject": "", "body": "", "body_html": ""}';
    ELSIF tab = 'notification_steps' THEN
        RETURN erased || '{"answer": ""}';
    ELSIF tab = 'completion_proofs' THEN
        RETURN erased || jsonb_build_object('erased_at', at)
            || CASE WHEN doc ->> 'signee' ~* pattern THEN '{"signature_key": null}'::jsonb ELSE '{}' END;
    END IF;
    RETURN erased;
END
$$;

CREATE FUNCTION erased_text(body text, pattern text) RETURNS text
    LANGUAGE plpgsql IMMUTABLE
    AS $$
BEGIN
    RETURN regexp_replace(body, pattern, '[erased]', 'gi');
END
$$;

CREATE FUNCTION erp_orders_document(org bigint, order_id bigint) RETURNS jsonb
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$
    SELECT coalesce(jsonb_agg(jsonb_build_object('external_id', n.number,
        'state', CASE WHEN n.cancelled_at IS NULL AND o.status_id <> 8 THEN 'ACTIVE' ELSE 'CANCELLED' END,
        'cancelled_at', iso_utc(coalesce(n.cancelled_at, o.cancelled_at))) ORDER BY n.number), '[]')
    FROM order_numbers n JOIN orders o ON o.org_id = n.org_id AND o.id = n.order_id
    WHERE n.org_id = org AND n.order_id = erp_orders_document.order_id
$$;

CREATE FUNCTION event_shard(org bigint) RETURNS smallint
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN ((org % (16)::bigint))::smallint;

CREATE FUNCTION events_between(after bigint, upto bigint, shards smallint[], org bigint, kinds text[]) RETURNS TABLE(org_id bigint, shard smallint, id bigint, "position" bigint, kind text, order_id bigint, draft_id bigint, external_id text, order_status_id smallint, stop text, recorded_at timestamp with time zone)
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET jit TO 'off'
    AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    SELECT e.org_id, event_shard(e.org_id), e.id, e.position, e.kind, e.order_id, e.draft_id, e.external_id,
        e.order_status_id, e.stop, e.recorded_at
    FROM events e
    WHERE e.position > events_between.after AND e.position <= events_between.upto AND e.kind <> ''
      AND event_shard(e.org_id) = ANY (events_between.shards) AND e.kind = ANY (events_between.kinds)
      AND (events_between.org = 0 OR e.org_id = events_between.org)
    ORDER BY e.position;
END
$$;

CREATE FUNCTION find_account_code(public_part text) RETURNS TABLE(org_id bigint, id bigint, purpose text, hash bytea, user_id bigint, driver_id bigint, expires_at timestamp with time zone, used_at timestamp with time zone)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
    SELECT c.org_id, c.id, c.purpose, c.hash, c.user_id, c.driver_id, c.expires_at, c.used_at
    FROM account_codes c JOIN organizations o ON o.id = c.org_id
    WHERE c.public_part = find_account_code.public_part AND o.closed_at IS NULL
$$;

CREATE FUNCTION find_api_key(public_part text) RETURNS TABLE(org_id bigint, id bigint, name text, hash bytea, expires_at timestamp with time zone, revoked_at timestamp with time zone, timezone text, language text, personal_data text[])
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
    SELECT k.org_id, k.id, k.name, k.hash, k.expires_at, k.revoked_at, o.timezone, o.language, k.personal_data
    FROM api_keys k JOIN organizations o ON o.id = k.org_id
    WHERE k.public_part = find_api_key.public_part AND o.closed_at IS NULL
$$;

CREATE FUNCTION find_custom_field_values(definition bigint, wanted text, before bigint, most integer) RETURNS TABLE(order_id bigint)
    LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 100
    SET search_path TO 'public', 'pg_temp'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_sort TO 'off'
    SET jit TO 'off'
    SET plan_cache_mode TO 'force_custom_plan'
    AS $$
BEGIN
    RETURN QUERY
    SELECT v.order_id FROM custom_field_values v
    WHERE v.org_id = current_org() AND v.definition_id = definition
      AND hashtextextended(v.value #>> '{}', 0) = hashtextextended(wanted, 0) AND v.value #>> '{}' = wanted
      AND v.order_id < before
    ORDER BY v.order_id DESC LIMIT most;
END
$$;

CREATE FUNCTION find_in_archive(lines text[], pattern text) RETURNS SETOF text
    LANGUAGE sql IMMUTABLE
    AS $$
    SELECT DISTINCT trim(concat_ws(' ', c.value ->> 'first_name', c.value ->> 'last_name'))
    FROM unnest(lines) AS l (line)
    CROSS JOIN LATERAL jsonb_array_elements(l.line::jsonb -> 'rows' -> 'stop_contacts') AS c
    WHERE l.line ~* pattern AND (c.value ->> 'email_address' ~* pattern OR c.value ->> 'phone_number' ~* pattern)
      AND concat(c.value ->> 'first_name', c.value ->> 'last_name') <> ''
$$;

CREATE FUNCTION find_locations(term text, most integer) RETURNS SETOF bigint
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET enable_seqscan TO 'off'
    SET enable_indexscan TO 'off'
    SET plan_cache_mode TO 'force_custom_plan'
    SET jit TO 'off'
    AS $$
DECLARE
    pattern constant text := containing(term);
BEGIN
    RETURN QUERY SELECT l.id FROM locations l
    WHERE l.org_id = current_org() AND l.deleted_at IS NULL
      AND (l.name ILIKE pattern OR l.external_id ILIKE pattern OR l.address1 ILIKE pattern
          OR l.postal_code ILIKE pattern OR l.city ILIKE pattern)
    LIMIT most;
END
$$;

CREATE FUNCTION find_orders_by_text(field text, term text, most integer) RETURNS SETOF bigint
    LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 100
    SET search_path TO 'public', 'pg_temp'
    SET enable_seqscan TO 'off'
    SET enable_indexscan TO 'off'
    SET jit TO 'off'
    SET plan_cache_mode TO 'force_custom_plan'
    AS $$
DECLARE
    pattern constant text := containing(term);
BEGIN
    IF field = 'reference' THEN
        RETURN QUERY SELECT o.id FROM orders o WHERE o.org_id = current_org() AND o.reference ILIKE pattern LIMIT most;
    ELSIF field = 'shipment' THEN
        RETURN QUERY (SELECT o.id FROM orders o
            WHERE o.org_id = current_org() AND o.internal_freight_number ILIKE pattern LIMIT most)
        UNION (SELECT a.order_id FROM export_acknowledgements a
            WHERE a.org_id = current_org() AND a.status = 'EXPORTED' AND a.carrier_shipment_id ILIKE pattern LIMIT most);
    END IF;
END
$$;

CREATE FUNCTION find_orders_by_word(term text, most integer) RETURNS SETOF bigint
    LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 100
    SET search_path TO 'public', 'pg_temp'
    SET enable_seqscan TO 'off'
    SET enable_indexscan TO 'off'
    SET jit TO 'off'
    AS $$
DECLARE
    whole constant text := compact_text(term);
BEGIN
    IF whole ~ '[[:alnum:]]{3}' THEN
        RETURN QUERY EXECUTE format('SELECT t.order_id FROM order_texts t WHERE t.org_id = current_org() AND t.text LIKE %L LIMIT %s',
            '% ' || whole || ' %', most);
    END IF;
END
$$;

CREATE FUNCTION find_orders_by_words(term text, most integer) RETURNS SETOF bigint
    LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 100
    SET search_path TO 'public', 'pg_temp'
    SET enable_seqscan TO 'off'
    SET enable_indexscan TO 'off'
    SET jit TO 'off'
    AS $$
DECLARE
    whole constant text := compact_text(term);
    all_words constant text := (SELECT string_agg(format('t.text LIKE %L', p), ' AND ') FROM unnest(word_patterns(term)) AS p);
BEGIN
    IF all_words ~ '[[:alnum:]]{3}' AND whole ~ '[[:alnum:]]{3}' THEN
        RETURN QUERY EXECUTE format('SELECT t.order_id FROM order_texts t WHERE t.org_id = current_org() AND %s LIMIT %s',
            all_words, most);
    END IF;
    IF whole ~ '[[:alnum:]]{3}' THEN
        RETURN QUERY EXECUTE format('SELECT t.order_id FROM order_texts t WHERE t.org_id = current_org() AND t.text LIKE %L LIMIT %s',
            '%' || whole || '%', most);
    END IF;
END
$$;

CREATE FUNCTION find_organization(slug text) RETURNS bigint
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$ SELECT id FROM organizations o WHERE o.slug = find_organization.slug AND o.closed_at IS NULL $$;

CREATE FUNCTION find_people(after bigint, batch integer, pattern text, OUT last bigint, OUT orders bigint[], OUT names text[]) RETURNS record
    LANGUAGE plpgsql STABLE
    AS $$
BEGIN
    WITH seen AS MATERIALIZED (
        SELECT c.* FROM stop_contacts c WHERE c.org_id = current_org() AND c.id > after ORDER BY c.id LIMIT batch
    ), met AS MATERIALIZED (
        SELECT c.* FROM seen c WHERE c.email_address ~* pattern OR c.phone_number ~* pattern
    )
    SELECT (SELECT max(s.id) FROM seen s),
        coalesce((SELECT array_agg(DISTINCT x.order_id) FROM met m JOIN order_stops x ON x.org_id = m.org_id AND x.id = m.stop_id), '{}'),
        coalesce((SELECT array_agg(DISTINCT trim(concat_ws(' ', m.first_name, m.last_name))) FROM met m
            WHERE m.first_name <> '' AND m.last_name <> ''), '{}')
    INTO last, orders, names;
END
$$;

CREATE FUNCTION find_places(term text, most integer) RETURNS TABLE(location_id bigint, name text)
    LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 100
    SET search_path TO 'public', 'pg_temp'
    SET enable_seqscan TO 'off'
    SET enable_indexscan TO 'off'
    SET jit TO 'off'
    SET plan_cache_mode TO 'force_custom_plan'
    AS $$
DECLARE
    pattern constant text := containing(term);
BEGIN
    RETURN QUERY
    (SELECT l.id, l.name FROM locations l WHERE l.org_id = current_org() AND l.name ILIKE pattern LIMIT most)
    UNION
    (SELECT n.location_id, n.name FROM location_names n
        WHERE n.org_id = current_org() AND n.name ILIKE pattern LIMIT most);
END
$$;

CREATE FUNCTION find_session(public_part text) RETURNS TABLE(org_id bigint, id bigint, kind text, hash bytea, user_id bigint, driver_id bigint, signed_in_at timestamp with time zone, last_used_at timestamp with time zone, expires_at timestamp with time zone, idle_seconds integer, is_good boolean, timezone text, language text, grants jsonb)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
    SELECT s.org_id, s.id, s.kind, s.hash, s.user_id, s.driver_id, s.signed_in_at, s.last_used_at, s.expires_at,
        s.idle_seconds, s.ended_at IS NULL AND coalesce(u.state = 'active', d.is_active), o.timezone,
        coalesce(u.language, o.language),
        CASE WHEN s.kind = 'device' THEN '[{"role": "driver"}]' ELSE coalesce((
            SELECT jsonb_agg(jsonb_build_object('role', r.base, 'tags', to_jsonb(r.tags)) ORDER BY r.id)
            FROM user_roles m JOIN roles r ON r.org_id = m.org_id AND r.id = m.role_id
            WHERE m.org_id = s.org_id AND m.user_id = s.user_id), '[]') END
    FROM sessions s JOIN organizations o ON o.id = s.org_id
    LEFT JOIN users u ON u.org_id = s.org_id AND u.id = s.user_id
    LEFT JOIN drivers d ON d.org_id = s.org_id AND d.id = s.driver_id
    WHERE s.public_part = find_session.public_part AND o.closed_at IS NULL
$$;

CREATE FUNCTION find_tracking_link(code text) RETURNS bigint
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
    SELECT l.org_id FROM tracking_links l JOIN organizations o ON o.id = l.org_id
    WHERE l.code = find_tracking_link.code AND l.revoked_at IS NULL AND l.expires_at > now() AND o.closed_at IS NULL
$$;

CREATE FUNCTION follow_events(follower text, batch integer) RETURNS TABLE(org_id bigint, id bigint, "position" bigint, kind text, order_id bigint, draft_id bigint, external_id text, order_status_id smallint, stop text, occurred_at timestamp with time zone)
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET jit TO 'off'
    AS $$
#variable_conflict use_column
DECLARE
    taken bigint;
BEGIN
    SELECT f.position INTO taken FROM event_followers f WHERE f.name = follower;
    RETURN QUERY
    SELECT e.org_id, e.id, e.position, e.kind, e.order_id, e.draft_id, e.external_id, e.order_status_id, e.stop, e.recorded_at
    FROM events e
    WHERE e.position > taken AND e.kind <> ''
    ORDER BY e.position
    LIMIT batch;
END
$$;

CREATE FUNCTION forget_account_codes(before timestamp with time zone, batch integer, dry boolean, OUT counted integer) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET jit TO 'off'
    AS $$
BEGIN
    WITH doomed AS MATERIALIZED (
        SELECT c.org_id, c.id FROM account_codes c WHERE c.expires_at < before ORDER BY c.expires_at LIMIT batch
    ), gone AS (
        DELETE FROM account_codes c USING doomed d WHERE NOT dry AND c.org_id = d.org_id AND c.id = d.id
    ) SELECT count(*) INTO counted FROM doomed;
END
$$;

CREATE FUNCTION forget_carrier_bodies(before timestamp with time zone, batch integer, dry boolean, OUT counted integer) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET jit TO 'off'
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

CREATE FUNCTION forget_documents(before timestamp with time zone, batch integer, dry boolean, OUT counted integer, OUT seen integer) RETURNS record
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET jit TO 'off'
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

CREATE FUNCTION forget_events(before timestamp with time zone, dry boolean, OUT counted integer, OUT needed text) RETURNS record
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET lock_timeout TO '500ms'
    AS $_$
DECLARE
    month regclass;
    old bigint := coalesce((SELECT max(m.position) FROM log_marks m WHERE m.at <= before), 0);
    waits boolean;
    last bigint; -- the highest position that goes
BEGIN
    counted := 0;
    IF before > now() - interval '90 days' THEN
        RAISE EXCEPTION 'the log is kept for 90 days at least';
    END IF;
    FOR month IN
        SELECT c.oid FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
        WHERE i.inhparent = 'events'::regclass AND c.relname ~ '^events_\d{4}_\d{2}$'
          AND (to_date(right(c.relname, 7), 'YYYY_MM') + interval '1 month') AT TIME ZONE 'UTC' <= before
        ORDER BY c.relname
    LOOP
        EXECUTE format('SELECT EXISTS (SELECT FROM %s WHERE position IS NULL),
            coalesce((SELECT max(position) FROM %1$s WHERE kind <> '''' AND position IS NOT NULL), 0)', month)
        INTO waits, last;
        CONTINUE WHEN waits OR last > old;
        IF dry THEN
            counted := counted + 1;
            CONTINUE;
        END IF;
        IF log_is_needed(month, last) THEN
            needed := month::text;
            RETURN;
        END IF;
        EXECUTE format('ALTER TABLE events DETACH PARTITION %s', month);
        EXECUTE format('DROP TABLE %s', month);
        UPDATE event_sequencer SET dropped_position = greatest(dropped_position, last);
        counted := 1;
        RETURN;
    END LOOP;
    IF dry THEN
        RETURN;
    END IF;
    SELECT max(x.position) INTO last FROM (
        SELECT e.position FROM events_default e
        WHERE e.kind <> '' AND e.position IS NOT NULL AND e.position <= old ORDER BY e.position LIMIT 20000) x;
    IF last IS NULL THEN
        RETURN;
    END IF;
    IF log_is_needed('events_default', last) THEN
        needed := 'events_default';
        RETURN;
    END IF;
    DELETE FROM events_default e WHERE e.kind <> '' AND e.position IS NOT NULL AND e.position <= last;
    UPDATE event_sequencer SET dropped_position = greatest(dropped_position, last);
END
$_$;

CREATE FUNCTION forget_export_payloads(before timestamp with time zone, batch integer, dry boolean, OUT counted integer) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET jit TO 'off'
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

CREATE FUNCTION forget_idempotency_keys(batch integer) RETURNS integer
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
    WITH doomed AS (
        SELECT org_id, operation, caller, key FROM idempotency_keys
        WHERE expires_at < now() ORDER BY expires_at LIMIT batch FOR UPDATE SKIP LOCKED
    ), gone AS (
        DELETE FROM idempotency_keys k USING doomed d
        WHERE k.org_id = d.org_id AND k.operation = d.operation AND k.caller = d.caller AND k.key = d.key
        RETURNING 1
    )
    SELECT count(*)::integer FROM gone
$$;

CREATE FUNCTION forget_imports(before timestamp with time zone, batch integer, dry boolean, OUT counted integer) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET jit TO 'off'
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

CREATE FUNCTION forget_keys(before timestamp with time zone, batch integer, dry boolean, OUT counted integer) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET jit TO 'off'
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

CREATE FUNCTION forget_message_texts(before timestamp with time zone, batch integer, dry boolean, OUT counted integer) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET jit TO 'off'
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

CREATE FUNCTION forget_parked_events(before timestamp with time zone, batch integer, dry boolean, OUT counted integer) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
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

CREATE FUNCTION forget_pictures(before timestamp with time zone, batch integer, dry boolean, OUT counted integer) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET jit TO 'off'
    AS $$
BEGIN
    WITH doomed AS MATERIALIZED (
        SELECT p.org_id, p.sha256 FROM proof_pictures p
        WHERE p.arrived_at < before AND p.arrived_at >= before - interval '14 days'
          AND NOT EXISTS (SELECT FROM completion_proof_images i WHERE i.org_id = p.org_id AND i.sha256 = p.sha256)
          AND NOT EXISTS (SELECT FROM completion_proofs c WHERE c.org_id = p.org_id AND c.signature_sha256 = p.sha256)
          AND NOT EXISTS (SELECT FROM driver_actions a WHERE a.type = 'FAIL'
              AND a.data -> 'pictures' ? encode(p.sha256, 'hex') AND a.org_id = p.org_id)
        ORDER BY p.arrived_at LIMIT batch
    ), gone AS (
        DELETE FROM proof_pictures p USING doomed d WHERE NOT dry AND p.org_id = d.org_id AND p.sha256 = d.sha256
    ) SELECT count(*) INTO counted FROM doomed;
END
$$;

CREATE FUNCTION forget_place_answers(before timestamp with time zone, batch integer, dry boolean, OUT counted integer) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET jit TO 'off'
    AS $$
BEGIN
    WITH expired AS MATERIALIZED (
        SELECT a.org_id, a.key FROM place_answers a WHERE a.expires_at < before ORDER BY a.expires_at LIMIT batch
    ), forgotten AS (
        DELETE FROM place_answers a USING expired e WHERE NOT dry AND a.org_id = e.org_id AND a.key = e.key
    ) SELECT count(*) INTO counted FROM expired;
END
$$;

CREATE FUNCTION forget_positions(before timestamp with time zone, batch integer, dry boolean, OUT counted integer) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
DECLARE
    legs integer;
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
    WITH doomed AS MATERIALIZED (
        SELECT l.org_id, l.driver_id, l.day, l.from_at
        FROM driver_whereabouts w CROSS JOIN LATERAL (
            SELECT x.org_id, x.driver_id, x.day, x.from_at FROM driven_legs x
            WHERE x.org_id = w.org_id AND x.driver_id = w.driver_id AND x.until_at < forget_positions.before
            ORDER BY x.until_at LIMIT batch
        ) l
        LIMIT batch
    ), gone AS (
        DELETE FROM driven_legs l USING doomed d
        WHERE NOT dry AND l.org_id = d.org_id AND l.driver_id = d.driver_id AND l.day = d.day AND l.from_at = d.from_at
    ) SELECT count(*) INTO legs FROM doomed;
    counted := counted + legs;
END
$$;

CREATE FUNCTION forget_sessions(before timestamp with time zone, batch integer, dry boolean, OUT counted integer) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET jit TO 'off'
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

CREATE FUNCTION forget_sign_ins(before timestamp with time zone, batch integer, dry boolean, OUT counted integer) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
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

CREATE FUNCTION forget_tallies(before timestamp with time zone, batch integer, dry boolean, OUT counted integer) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET jit TO 'off'
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

CREATE FUNCTION forget_template_changes(before timestamp with time zone, batch integer, dry boolean, OUT counted integer) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET jit TO 'off'
    AS $$
BEGIN
    WITH doomed AS MATERIALIZED (
        SELECT c.org_id, c.id FROM recurring_order_changes c WHERE c.created_at < before ORDER BY c.created_at LIMIT batch
    ), gone AS (
        DELETE FROM recurring_order_changes c USING doomed d WHERE NOT dry AND c.org_id = d.org_id AND c.id = d.id
    ) SELECT count(*) INTO counted FROM doomed;
END
$$;

CREATE FUNCTION forget_tracking_links(before timestamp with time zone, batch integer, dry boolean, OUT counted integer) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET jit TO 'off'
    AS $$
BEGIN
    WITH doomed AS MATERIALIZED (
        SELECT l.org_id, l.code FROM tracking_links l WHERE l.expires_at < before ORDER BY l.expires_at LIMIT batch
    ), gone AS (
        DELETE FROM tracking_links l USING doomed d WHERE NOT dry AND l.org_id = d.org_id AND l.code = d.code
    ) SELECT count(*) INTO counted FROM doomed;
END
$$;

CREATE FUNCTION forget_travel_legs(before timestamp with time zone, batch integer, dry boolean, OUT counted integer) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET jit TO 'off'
    AS $$
DECLARE
    ways integer;
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
    WITH doomed AS MATERIALIZED (
        SELECT l.* FROM organizations o CROSS JOIN LATERAL (
            SELECT w.org_id, w.provider, w.profile, w.from_place, w.to_place FROM travel_ways w
            WHERE w.org_id = o.id AND w.found_at < before ORDER BY w.found_at LIMIT batch) l
        LIMIT batch
    ), gone AS (
        DELETE FROM travel_ways w USING doomed d
        WHERE NOT dry AND w.org_id = d.org_id AND w.provider = d.provider AND w.profile = d.profile
            AND w.from_place = d.from_place AND w.to_place = d.to_place
    ) SELECT count(*) INTO ways FROM doomed;
    counted := counted + ways;
    WITH doomed AS MATERIALIZED (
        SELECT l.* FROM organizations o CROSS JOIN LATERAL (
            SELECT b.org_id, b.id FROM travel_blocks b
            WHERE b.org_id = o.id AND b.found_at < before ORDER BY b.found_at LIMIT batch) l
        LIMIT batch
    ), gone AS (
        DELETE FROM travel_blocks b USING doomed d
        WHERE NOT dry AND b.org_id = d.org_id AND b.id = d.id
    ) SELECT count(*) INTO ways FROM doomed;
    counted := counted + ways;
END
$$;

CREATE FUNCTION forget_webhooks(before timestamp with time zone, batch integer, dry boolean, OUT counted integer) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET jit TO 'off'
    AS $$
BEGIN
    WITH tried AS MATERIALIZED (
        SELECT a.org_id, a.endpoint_id, a.id FROM webhook_attempts a WHERE a.at < before ORDER BY a.at LIMIT batch
    ), untold AS (
        DELETE FROM webhook_attempts a USING tried d
        WHERE NOT dry AND a.org_id = d.org_id AND a.endpoint_id = d.endpoint_id AND a.id = d.id
    ), given_up AS MATERIALIZED (
        SELECT v.org_id, v.endpoint_id, v.position, v.place FROM webhook_deliveries v
        WHERE v.gave_up_at < before ORDER BY v.gave_up_at LIMIT batch
    ), forgotten AS (
        DELETE FROM webhook_deliveries v USING given_up d
        WHERE NOT dry AND v.org_id = d.org_id AND v.endpoint_id = d.endpoint_id AND v.position = d.position AND v.place = d.place
    ) SELECT (SELECT count(*) FROM tried) + (SELECT count(*) FROM given_up) INTO counted;
    IF counted = 0 THEN
        WITH removed AS MATERIALIZED (
            SELECT e.org_id, e.id FROM webhook_endpoints e WHERE e.deleted_at < before LIMIT 10
        ), gone AS (
            DELETE FROM webhook_endpoints e USING removed d WHERE NOT dry AND e.org_id = d.org_id AND e.id = d.id
        ) SELECT count(*) INTO counted FROM removed;
    END IF;
END
$$;

CREATE FUNCTION freight_classes(org bigint) RETURNS jsonb
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$
    SELECT jsonb_build_object(
        'zones', (SELECT coalesce(jsonb_agg(jsonb_build_object('id', z.id, 'name', z.name, 'areas', z.areas) ORDER BY z.id), '[]')
            FROM zones z WHERE z.org_id = org AND z.is_active),
        'freightLevels', (SELECT coalesce(jsonb_agg(jsonb_build_object('id', l.id, 'name', l.name, 'maxWeightKg', l.max_weight_kg,
            'maxVolumeM3', l.max_volume_m3, 'maxColli', l.max_colli) ORDER BY l.seq, l.id), '[]')
            FROM freight_levels l WHERE l.org_id = org AND l.is_active))
$$;

CREATE FUNCTION guard_tenant(tenant regclass) RETURNS void
    LANGUAGE plpgsql
    AS $$
BEGIN
    EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', tenant);
    EXECUTE format('CREATE POLICY tenant ON %s USING (org_id = current_org()) WITH CHECK (org_id = current_org())', tenant);
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %s TO waybill_app', tenant);
    EXECUTE (
        SELECT coalesce(string_agg(format('GRANT USAGE ON SEQUENCE %s TO waybill_app', d.objid::regclass), '; '), 'SELECT')
        FROM pg_depend d JOIN pg_class c ON c.oid = d.objid AND c.relkind = 'S'
        WHERE d.refobjid = tenant AND d.classid = 'pg_class'::regclass AND d.deptype IN ('a', 'i')
    );
END
$$;

CREATE FUNCTION hand_over_messages(orgs bigint[], events bigint[], rules bigint[], receivers bigint[], channels text[], orders bigint[]) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
    DELETE FROM notification_handovers h WHERE (h.org_id, h.event_id, h.rule_id, h.receiver) IN (
        SELECT x.org_id, x.event_id, x.rule_id, x.receiver FROM notification_handovers x
        WHERE x.handed_at < now() - interval '1 hour'
        ORDER BY x.handed_at LIMIT 1000 FOR UPDATE SKIP LOCKED);
    INSERT INTO notification_handovers (org_id, event_id, rule_id, receiver, channel, order_id)
    SELECT x.org_id, x.event_id, x.rule_id, x.receiver, x.channel, x.order_id
    FROM unnest(orgs, events, rules, receivers, channels, orders)
        AS x (org_id, event_id, rule_id, receiver, channel, order_id)
    WHERE NOT EXISTS (SELECT FROM notifications n WHERE n.org_id = x.org_id
        AND n.key = x.event_id || '-' || x.rule_id || '-' || x.receiver)
    ON CONFLICT DO NOTHING;
$$;

CREATE FUNCTION hold_seat(of_interval bigint, on_day date, seconds integer, OUT hold_id bigint, OUT hold_ends timestamp with time zone) RETURNS record
    LANGUAGE plpgsql
    AS $$
DECLARE
    org bigint := current_org();
    taken integer;
    seats integer;
BEGIN
    INSERT INTO schedule_interval_days AS d (org_id, interval_id, day, booked)
    SELECT i.org_id, i.id, on_day, 0 FROM schedule_intervals i WHERE i.org_id = org AND i.id = of_interval AND i.is_active
    ON CONFLICT (org_id, interval_id, day) DO UPDATE SET booked = d.booked
    RETURNING d.booked INTO taken;
    SELECT i.slots INTO seats FROM schedule_intervals i WHERE i.org_id = org AND i.id = of_interval AND i.is_active;
    IF taken IS NULL OR seats IS NULL OR taken + seats_held(org, of_interval, on_day) >= seats THEN
        RAISE EXCEPTION 'no seat is left' USING ERRCODE = 'WB002';
    END IF;
    INSERT INTO schedule_holds AS h (org_id, interval_id, day, ends_at)
    VALUES (org, of_interval, on_day, clock_timestamp() + make_interval(secs => seconds))
    RETURNING h.id, h.ends_at INTO hold_id, hold_ends;
    -- Nobody asks for what ended a day ago.
    DELETE FROM schedule_holds h WHERE (h.org_id, h.id) IN (
        SELECT o.org_id, o.id FROM schedule_holds o WHERE o.org_id = org AND o.ends_at < now() - interval '1 day'
        LIMIT 100 FOR UPDATE SKIP LOCKED);
END
$$;

CREATE FUNCTION installation_health(at timestamp with time zone, OUT messages_waiting bigint, OUT oldest_message timestamp with time zone, OUT events_parked bigint, OUT last_parked timestamp with time zone, OUT endpoints_resting bigint, OUT organizations bigint) RETURNS record
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
BEGIN
    SELECT count(*), min(coalesce(n.send_window_from, n.created_at)) INTO messages_waiting, oldest_message
    FROM notifications n
    WHERE n.status IN ('queued', 'job_dequeued')
      AND coalesce(n.send_window_from, n.created_at) <= installation_health.at;
    SELECT count(*), max(p.parked_at) INTO events_parked, last_parked FROM parked_events p;
    SELECT count(*) INTO endpoints_resting FROM webhook_endpoints w
    WHERE w.is_active AND w.deleted_at IS NULL AND w.resting_until > installation_health.at;
    SELECT count(*) INTO organizations FROM organizations o WHERE o.closed_at IS NULL;
END
$$;

CREATE FUNCTION is_suspended(org bigint) RETURNS boolean
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$ SELECT EXISTS (SELECT FROM organizations o WHERE o.id = is_suspended.org AND o.suspended_at IS NOT NULL) $$;

CREATE FUNCTION iso_utc(instant timestamp with time zone) RETURNS text
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN to_char((instant AT TIME ZONE 'UTC'::text), 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'::text);

COMMENT ON FUNCTION iso_utc(instant timestamp with time zone) IS 'An instant as the wire shows it: ISO 8601 in UTC, milliseconds.';

CREATE FUNCTION knows_time_zone(zone text) RETURNS boolean
    LANGUAGE sql STABLE
    AS $$ SELECT EXISTS (SELECT FROM pg_timezone_names WHERE name = zone) $$;

CREATE FUNCTION legs_of_plan(org bigint, plan bigint, drivers bigint[]) RETURNS TABLE(driver_id bigint, seq integer, provider text, profile text, from_latitude double precision, from_longitude double precision, to_latitude double precision, to_longitude double precision, from_place bigint, to_place bigint)
    LANGUAGE sql STABLE
    AS $$
    WITH routes AS MATERIALIZED (
        SELECT r.driver_id, r.breaks, p.travel, coalesce(vehicle_profile(t), 'CAR') AS profile,
            coalesce(a.latitude, (a.position ->> 'latitude')::float8) AS start_latitude,
            coalesce(a.longitude, (a.position ->> 'longitude')::float8) AS start_longitude,
            coalesce(z.latitude, (z.position ->> 'latitude')::float8) AS end_latitude,
            coalesce(z.longitude, (z.position ->> 'longitude')::float8) AS end_longitude
        FROM plans p
        JOIN plan_routes r ON r.org_id = p.org_id AND r.plan_id = p.id
        JOIN drivers d ON d.org_id = r.org_id AND d.id = r.driver_id
        LEFT JOIN driver_workdays w ON w.org_id = r.org_id AND w.driver_id = r.driver_id AND w.date = p.day
        LEFT JOIN vehicles v ON v.org_id = r.org_id AND v.id = r.vehicle_id
        LEFT JOIN vehicle_types t ON t.org_id = v.org_id AND t.id = v.vehicle_type_id
        LEFT JOIN locations a ON a.org_id = r.org_id
            AND a.id = coalesce(w.start_location_id, d.start_location_id, v.home_location_id)
        LEFT JOIN locations z ON z.org_id = r.org_id
            AND z.id = coalesce(w.end_location_id, d.end_location_id, v.home_location_id)
        WHERE p.org_id = org AND p.id = plan AND (drivers IS NULL OR r.driver_id = ANY (drivers))
    ), places AS (
        SELECT r.driver_id, 0 AS seq, 64 AS part, r.start_latitude AS latitude, r.start_longitude AS longitude,
            false AS curbside
        FROM routes r
        UNION ALL
        SELECT r.driver_id, coalesce((SELECT min(s.seq) FROM plan_stops s
                WHERE s.org_id = org AND s.plan_id = plan AND s.driver_id = r.driver_id
                  AND s.arrives_at > (x.rest ->> 'starts')::timestamptz),
            1 + (SELECT coalesce(max(s.seq), 0) FROM plan_stops s
                WHERE s.org_id = org AND s.plan_id = plan AND s.driver_id = r.driver_id)), least(x.n, 63)::int,
            (x.rest -> 'place' ->> 'latitude')::float8, (x.rest -> 'place' ->> 'longitude')::float8, false
        FROM routes r CROSS JOIN LATERAL jsonb_array_elements(r.breaks) WITH ORDINALITY x(rest, n)
        WHERE x.rest ? 'place'
        UNION ALL
        SELECT s.driver_id, s.seq, 64, s.latitude, s.longitude, s.curbside FROM routes r
        JOIN plan_stops s ON s.org_id = org AND s.plan_id = plan AND s.driver_id = r.driver_id
        UNION ALL
        SELECT r.driver_id, 1 + (SELECT coalesce(max(s.seq), 0) FROM plan_stops s
                WHERE s.org_id = org AND s.plan_id = plan AND s.driver_id = r.driver_id), 64, r.end_latitude,
            r.end_longitude, false
        FROM routes r WHERE r.end_latitude IS NOT NULL
    ), legs AS (
        SELECT l.driver_id, l.seq, l.part, lag(l.latitude) OVER way AS from_latitude, lag(l.longitude) OVER way AS from_longitude,
            lag(l.curbside) OVER way AS from_curbside, l.latitude, l.longitude, l.curbside
        FROM places l WINDOW way AS (PARTITION BY l.driver_id ORDER BY l.seq, l.part)
    )
    SELECT l.driver_id, CASE WHEN l.part < 64 THEN -64 * l.seq - l.part ELSE l.seq END, r.travel, r.profile, l.from_latitude, l.from_longitude, l.latitude, l.longitude,
        place_number(l.from_latitude, l.from_longitude) # (l.from_curbside::int::bigint << 62),
        place_number(l.latitude, l.longitude) # (l.curbside::int::bigint << 62)
    FROM legs l JOIN routes r ON r.driver_id = l.driver_id
    WHERE l.seq > 0
$$;

CREATE FUNCTION living(kind text, quiet_since timestamp with time zone, after_org bigint, after_id bigint, batch integer) RETURNS TABLE(org_id bigint, id bigint, day date, other bigint, name text, event text, channel text, key text)
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET jit TO 'off'
    AS $$
#variable_conflict use_column
BEGIN
    CASE living.kind
    WHEN 'template' THEN RETURN QUERY
        SELECT r.org_id, r.id, NULL::date, 0::bigint, '', '', '', '' FROM recurring_orders r
        WHERE (r.org_id, r.id) > (after_org, after_id)
          AND (r.is_active AND NOT r.is_complete OR r.owes) AND r.updated_at < quiet_since
        ORDER BY r.org_id, r.id LIMIT batch;
    WHEN 'export' THEN RETURN QUERY
        SELECT e.org_id, e.order_id, NULL::date, 0::bigint, o.number, '', '', ''
        FROM order_exports e JOIN orders o ON o.org_id = e.org_id AND o.id = e.order_id
        WHERE (e.org_id, e.order_id) > (after_org, after_id) AND e.state <> 'closed' AND e.updated_at < quiet_since
        ORDER BY e.org_id, e.order_id LIMIT batch;
    WHEN 'message' THEN RETURN QUERY
        SELECT n.org_id, n.id, NULL::date, coalesce(n.order_id, 0), n.workflow_id, n.event, n.channel, n.key
        FROM notifications n
        WHERE (n.org_id, n.id) > (after_org, after_id) AND n.status IN ('queued', 'job_dequeued') AND n.updated_at < quiet_since
        ORDER BY n.org_id, n.id LIMIT batch;
    WHEN 'plan' THEN RETURN QUERY
        SELECT p.org_id, p.id, p.day, coalesce(p.department_id, 0), '', '', '', ''
        FROM plans p JOIN organizations o ON o.id = p.org_id
        WHERE (p.org_id, p.id) > (after_org, after_id) AND p.updated_at < quiet_since
          AND p.day >= (quiet_since AT TIME ZONE o.timezone)::date
          AND (EXISTS (SELECT FROM plan_routes r WHERE r.org_id = p.org_id AND r.plan_id = p.id)
            OR EXISTS (SELECT FROM plan_unplanned u WHERE u.org_id = p.org_id AND u.plan_id = p.id))
        ORDER BY p.org_id, p.id LIMIT batch;
    WHEN 'drive' THEN RETURN QUERY
        SELECT y.org_id, y.driver_id, y.day, 0::bigint, '', '', '', ''
        FROM organizations o
        CROSS JOIN LATERAL (SELECT (quiet_since AT TIME ZONE o.timezone)::date AS today) t
        CROSS JOIN LATERAL (
            SELECT d.org_id, d.driver_id, max(d.day) AS day FROM drivers v JOIN driver_days d
                ON d.org_id = v.org_id AND d.driver_id = v.id AND d.day BETWEEN t.today - 1 AND t.today
            WHERE v.org_id = o.id AND d.started_at < quiet_since
            GROUP BY d.org_id, d.driver_id) y
        CROSS JOIN LATERAL drive_day(y.org_id, y.driver_id, y.day) x
        WHERE (y.org_id, y.driver_id) > (after_org, after_id) AND x.ended_at < '0001-01-02 00:00:00+00' AND x.until > quiet_since
        ORDER BY y.org_id, y.driver_id LIMIT batch;
    WHEN 'simulation' THEN RETURN QUERY
        SELECT s.org_id, s.id, s.day, s.pace::bigint, '', '', '', '' FROM sandbox_runs s
        WHERE (s.org_id, s.id) > (after_org, after_id) AND s.state = 'RUNNING' AND s.started_at < quiet_since
        ORDER BY s.org_id, s.id LIMIT batch;
    WHEN 'webhook' THEN RETURN QUERY
        SELECT w.org_id, w.id, NULL::date, 0::bigint, '', '', '', '' FROM webhook_endpoints w
        WHERE (w.org_id, w.id) > (after_org, after_id) AND w.is_active AND w.deleted_at IS NULL AND w.updated_at < quiet_since
        ORDER BY w.org_id, w.id LIMIT batch;
    WHEN 'resending' THEN RETURN QUERY
        SELECT s.org_id, s.id, NULL::date, 0::bigint, '', '', '', '' FROM resendings s
        WHERE (s.org_id, s.id) > (after_org, after_id) AND s.state = 'RUNNING' AND s.updated_at < quiet_since
        ORDER BY s.org_id, s.id LIMIT batch;
    WHEN 'places' THEN RETURN QUERY
        SELECT w.org_id, 0::bigint, NULL::date, 0::bigint, '', '', '', '' FROM place_work w
        WHERE (w.org_id, 0::bigint) > (after_org, after_id) AND w.wanted > w.done AND w.updated_at < quiet_since
        ORDER BY w.org_id LIMIT batch;
    WHEN 'addresses' THEN RETURN QUERY
        -- those of 'places', and organizations with an order whose address a geocoding provider may be asked for
        SELECT o.id, 0::bigint, NULL::date, 0::bigint, '', '', '', ''
        FROM organizations o LEFT JOIN place_work w ON w.org_id = o.id
        WHERE (o.id, 0::bigint) > (after_org, after_id) AND coalesce(w.updated_at < quiet_since, true)
          AND (w.wanted > w.done OR o.ask_geocoder AND o.closed_at IS NULL AND EXISTS (
            SELECT FROM order_stops s JOIN orders r ON r.org_id = s.org_id AND r.id = s.order_id
            LEFT JOIN place_answers a ON a.org_id = s.org_id AND a.key = decode(s.position ->> 'place', 'hex')
            WHERE s.org_id = o.id AND s.position ->> 'precision' IN ('POSTAL_CODE', 'CITY', 'UNKNOWN')
              AND s.position ->> 'place' <> '' AND r.date >= (quiet_since - interval '6 days')::date
              AND (r.status_id <= 3 OR r.status_id <= 5 AND s.kind = 'delivery')
              AND (a.answered_at IS NULL OR a.expires_at <= now())))
        ORDER BY o.id LIMIT batch;
    WHEN 'learning' THEN RETURN QUERY
        -- organizations whose drivers have driven of late, and who learn from that
        SELECT o.id, 0::bigint, NULL::date, 0::bigint, '', '', '', ''
        FROM organizations o
        WHERE (o.id, 0::bigint) > (after_org, after_id) AND o.learn_travel <> 'OFF' AND o.closed_at IS NULL
          AND EXISTS (SELECT FROM drivers v JOIN driver_days y ON y.org_id = v.org_id AND y.driver_id = v.id
            AND y.day >= (quiet_since - interval '14 days')::date
            WHERE v.org_id = o.id AND y.started_at < quiet_since)
        ORDER BY o.id LIMIT batch;
    END CASE;
END
$$;

CREATE FUNCTION living_imports(quiet_since timestamp with time zone, after_org bigint, after_id bigint, batch integer) RETURNS TABLE(org_id bigint, id bigint)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    AS $$
    SELECT i.org_id, i.id FROM imports i
    WHERE (i.org_id, i.id) > (after_org, after_id) AND i.completed_at IS NULL AND i.ended_at IS NULL
      AND i.created_at < quiet_since
    ORDER BY i.org_id, i.id LIMIT batch
$$;

CREATE TABLE locations (
    org_id bigint NOT NULL,
    id bigint NOT NULL,
    external_id text,
    name text DEFAULT ''::text NOT NULL,
    match_key bytea NOT NULL,
    address1 text,
    address2 text,
    postal_code text,
    city text,
    state text,
    country text,
    latitude double precision,
    longitude double precision,
    opens smallint,
    closes smallint,
    use_opening_hours_as_default boolean DEFAULT false NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    deleted_at timestamp with time zone,
    estimated_time_on_location integer,
    people_erased_at timestamp with time zone,
    "position" jsonb,
    service_time jsonb,
    pauses jsonb,
    curbside boolean DEFAULT false NOT NULL,
    calendar_id bigint,
    CONSTRAINT locations_closes_check CHECK (((closes >= 0) AND (closes <= 1440))),
    CONSTRAINT locations_estimated_time_on_location_check CHECK (((estimated_time_on_location >= 0) AND (estimated_time_on_location <= 1440))),
    CONSTRAINT locations_latitude_check CHECK (((latitude >= ('-90'::integer)::double precision) AND (latitude <= (90)::double precision))),
    CONSTRAINT locations_longitude_check CHECK (((longitude >= ('-180'::integer)::double precision) AND (longitude <= (180)::double precision))),
    CONSTRAINT locations_opens_check CHECK (((opens >= 0) AND (opens <= 1440)))
);
ALTER TABLE ONLY locations ALTER COLUMN org_id SET STATISTICS 0;

COMMENT ON COLUMN locations.estimated_time_on_location IS 'Minutes, for the stops of orders that do not say.';

CREATE FUNCTION location_place(l locations) RETURNS jsonb
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN jsonb_strip_nulls(jsonb_build_object('externalId', (l).external_id, 'name', (l).name, 'address', jsonb_build_object('address1', (l).address1, 'address2', (l).address2, 'postalCode', (l).postal_code, 'city', (l).city, 'state', (l).state, 'country', (l).country, 'latitude', (l).latitude, 'longitude', (l).longitude)));

COMMENT ON FUNCTION location_place(l locations) IS 'A location as an import names it.';

CREATE FUNCTION lock_action(org bigint, action uuid, driver bigint, stop bigint) RETURNS TABLE(answered_to bigint, outcome text, outcome_reason text, skew_ms bigint, order_id bigint, kind text, latitude double precision, longitude double precision, had boolean, number text, status_id smallint, driver_id bigint, created_at timestamp with time zone, begun boolean, given_to bigint, facts jsonb)
    LANGUAGE plpgsql
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
BEGIN
    SELECT s.order_id, s.kind, s.latitude, s.longitude
    INTO lock_action.order_id, lock_action.kind, lock_action.latitude, lock_action.longitude
    FROM order_stops s WHERE s.org_id = org AND s.id = stop;
    IF lock_action.order_id IS NOT NULL THEN
        SELECT d.number, d.status_id, d.driver_id, d.created_at, d.begun, d.given_to, d.facts
        INTO lock_action.number, lock_action.status_id, lock_action.driver_id, lock_action.created_at, lock_action.begun,
            lock_action.given_to, lock_action.facts
        FROM lock_driven(org, lock_action.order_id) d;
        had := lock_action.driver_id = driver OR lock_action.given_to = driver
            OR EXISTS (SELECT FROM driver_actions a
                WHERE a.org_id = org AND a.order_id = lock_action.order_id AND a.driver_id = driver)
            OR EXISTS (SELECT FROM events e WHERE e.org_id = org AND e.subject_type = 'order'
                AND e.subject_id = lock_action.order_id AND e.position IS NOT NULL AND e.kind = 'order.planned'
                AND e.driver_id = driver);
    END IF;
    SELECT a.driver_id, a.outcome, a.outcome_reason
    INTO answered_to, lock_action.outcome, lock_action.outcome_reason
    FROM driver_actions a WHERE a.org_id = org AND a.id = action;
    SELECT w.clock_skew_ms INTO skew_ms FROM driver_whereabouts w WHERE w.org_id = org AND w.driver_id = driver;
    RETURN NEXT;
END
$$;

CREATE FUNCTION lock_driven(org bigint, wanted bigint) RETURNS TABLE(number text, status_id smallint, driver_id bigint, created_at timestamp with time zone, begun boolean, given_to bigint, facts jsonb)
    LANGUAGE plpgsql
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
BEGIN
    PERFORM FROM orders o WHERE o.org_id = org AND o.id = wanted FOR NO KEY UPDATE;
    RETURN QUERY
    SELECT o.number, o.status_id, coalesce(o.driver_id, 0), o.created_at, g.order_id IS NOT NULL, coalesce(g.given_to, 0),
        coalesce((SELECT jsonb_agg(x.fact) FROM (
            SELECT jsonb_build_object('id', a.id, 'type', a.type, 'stop', s.kind, 'driver', a.driver_id,
                'at', a.occurred_at, 'clock', a.device_at, 'undoes', a.undoes, 'reason', a.reason,
                'products', a.data -> 'products', 'nothing', a.nothing, 'scans', a.data -> 'scans') AS fact
            FROM driver_actions a LEFT JOIN order_stops s ON s.org_id = a.org_id AND s.id = a.stop_id
            WHERE a.org_id = org AND a.order_id = wanted AND a.outcome <> 'REJECTED'
                AND a.type IN ('ARRIVE', 'PICK_UP', 'REPORT_MISSING', 'DELIVER', 'FAIL', 'UNDO', 'SCAN',
                    'EXCHANGE_CARGO_CARRIERS')
            UNION ALL
            SELECT jsonb_build_object('id', m.id::text, 'type', m.source, 'stop', m.stop, 'driver', m.driver_id, 'at', m.at,
                'to', m.status_id, 'corrects', m.corrects, 'reason', m.reason)
            FROM order_moves m WHERE m.org_id = org AND m.order_id = wanted) x), '[]')
    FROM orders o LEFT JOIN order_progress g ON g.org_id = o.org_id AND g.order_id = o.id
    WHERE o.org_id = org AND o.id = wanted;
END
$$;

CREATE FUNCTION log_is_needed(part regclass, upto bigint) RETURNS boolean
    LANGUAGE plpgsql STABLE
    SET search_path TO 'public', 'pg_temp'
    AS $_$
DECLARE
    needed boolean;
BEGIN
    IF upto > (SELECT min(s.last_position - l.behind) FROM log_lag() l CROSS JOIN event_sequencer s) THEN
        RETURN true;
    END IF;
    EXECUTE format('SELECT EXISTS (
        SELECT FROM webhook_endpoints w CROSS JOIN LATERAL (
            SELECT FROM %1$s e
            WHERE e.org_id = w.org_id AND e.position >= w.position AND e.position <= $1 AND e.order_status_id IS NOT NULL
              AND e.position IS NOT NULL
              AND (e.position > w.position OR w.place < coalesce(jsonb_array_length(e.data -> ''numbers''), 1))
            LIMIT 1) e
        WHERE w.is_active AND w.deleted_at IS NULL
    ) OR EXISTS (
        SELECT FROM webhook_deliveries d JOIN webhook_endpoints w ON w.org_id = d.org_id AND w.id = d.endpoint_id
        JOIN %1$s e ON e.org_id = d.org_id AND e.position = d.position AND e.order_status_id IS NOT NULL
        WHERE d.next_at IS NOT NULL AND d.position <= $1 AND w.is_active AND w.deleted_at IS NULL)', part)
    INTO needed USING upto;
    RETURN needed;
END
$_$;

CREATE FUNCTION log_lag() RETURNS TABLE(follower text, behind bigint, waiting double precision)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
    SELECT f.name, s.last_position - (SELECT min(coalesce(c.position, f.position)) FROM relay_shards r
        LEFT JOIN event_cursors c ON c.follower = f.name AND c.shard = r.shard),
        coalesce(extract(epoch FROM clock_timestamp() - (
            SELECT e.recorded_at FROM events e WHERE e.position IS NULL ORDER BY e.id LIMIT 1)), 0)::double precision
    FROM event_followers f CROSS JOIN event_sequencer s
$$;

CREATE FUNCTION make_event_partition(month date) RETURNS boolean
    LANGUAGE plpgsql
    AS $$
DECLARE
    partition text := 'events_' || to_char(month, 'YYYY_MM');
    starts timestamptz := date_trunc('month', month::timestamp) AT TIME ZONE 'UTC';
    ends timestamptz := (date_trunc('month', month::timestamp) + interval '1 month') AT TIME ZONE 'UTC';
BEGIN
    IF to_regclass(partition) IS NOT NULL THEN
        RETURN false;
    END IF;
    EXECUTE format('CREATE TABLE %I (LIKE events INCLUDING DEFAULTS) WITH (fillfactor = 90)', partition);
    PERFORM guard_tenant(partition::regclass);
    LOCK TABLE events_default IN ACCESS EXCLUSIVE MODE;
    EXECUTE format('WITH moved AS (DELETE FROM events_default WHERE recorded_at >= %L AND recorded_at < %L RETURNING *)
        INSERT INTO %I SELECT * FROM moved', starts, ends, partition);
    EXECUTE format('ALTER TABLE events ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', partition, starts, ends);
    RETURN true;
END
$$;

CREATE FUNCTION make_event_partitions() RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET lock_timeout TO '2s'
    AS $$
DECLARE
    made integer := 0;
    month date;
    present date := date_trunc('month', now() AT TIME ZONE 'UTC');
BEGIN
    PERFORM pg_advisory_xact_lock(hashtext('waybill.event_partitions'));
    INSERT INTO log_marks (at, position) SELECT now(), s.last_position FROM event_sequencer s
    WHERE NOT EXISTS (SELECT FROM log_marks m WHERE m.at > now() - interval '23 hours');
    FOR ahead IN 0..2 LOOP
        IF make_event_partition((present + make_interval(months => ahead))::date) THEN
            made := made + 1;
        END IF;
    END LOOP;
    IF pg_relation_size('events_default') <= 64 * 1024 * 1024 THEN
        FOR month IN
            SELECT DISTINCT date_trunc('month', e.recorded_at AT TIME ZONE 'UTC')::date FROM events_default e
            WHERE e.recorded_at >= (present - interval '12 months') AT TIME ZONE 'UTC' AND e.recorded_at < now()
        LOOP
            IF make_event_partition(month) THEN
                made := made + 1;
            END IF;
        END LOOP;
    END IF;
    RETURN made;
END
$$;

CREATE FUNCTION mark_custom_fields_used() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    UPDATE custom_field_definitions d SET was_used = true
    FROM (SELECT DISTINCT org_id, definition_id FROM added ORDER BY org_id, definition_id) a
    WHERE d.org_id = a.org_id AND d.id = a.definition_id AND NOT d.was_used;
    RETURN NULL;
END
$$;

CREATE FUNCTION name_of_actor(org bigint, actor text) RETURNS text
    LANGUAGE plpgsql STABLE
    AS $_$
DECLARE
    known bigint := substring(actor FROM '^(?:user|key|device):([0-9]{1,18})$')::bigint;
BEGIN
    RETURN CASE WHEN known IS NOT NULL THEN CASE split_part(actor, ':', 1)
        WHEN 'user' THEN (SELECT u.name FROM users u WHERE u.org_id = org AND u.id = known)
        WHEN 'key' THEN (SELECT k.name FROM api_keys k WHERE k.org_id = org AND k.id = known)
        ELSE (SELECT d.name FROM sessions s JOIN drivers d ON d.org_id = s.org_id AND d.id = s.driver_id
            WHERE s.org_id = org AND s.id = known)
    END END;
END
$_$;

COMMENT ON FUNCTION name_of_actor(org bigint, actor text) IS 'What the person, key or driver is called who did something.';

CREATE FUNCTION name_subjects_of_status() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
DECLARE
    counting text[];
BEGIN
    IF NEW.product_ids IS NULL THEN
        SELECT array_agg(p.id ORDER BY p.number, p.seq, p.id) INTO NEW.product_ids
        FROM order_products p WHERE p.org_id = NEW.org_id AND p.order_id = NEW.order_id;
        IF NEW.product_ids IS NOT NULL THEN
            NEW.product_status_id := NEW.order_status_id;
        END IF;
    END IF;
    IF number_of_event(NEW.kind, NEW.external_id) IS NULL THEN
        SELECT array_agg(n.number ORDER BY n.number) INTO counting FROM order_numbers n
        WHERE n.org_id = NEW.org_id AND n.order_id = NEW.order_id AND n.cancelled_at IS NULL;
        IF counting <> ARRAY[NEW.external_id] THEN
            NEW.data := coalesce(NEW.data, '{}') || jsonb_build_object('numbers', counting);
        END IF;
    END IF;
    RETURN NEW;
END
$$;

CREATE FUNCTION name_walker() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    IF NEW.walker IS NULL THEN
        NEW.walker := 'key:' || NEW.key_id;
    ELSIF NEW.walker LIKE 'key:%' THEN
        NEW.key_id := substr(NEW.walker, 5)::bigint;
    END IF;
    RETURN NEW;
END
$$;

CREATE FUNCTION name_workflows() RETURNS trigger
    LANGUAGE plpgsql
    AS $_$
BEGIN
    NEW.workflow_name := CASE WHEN NEW.slug ~ '^[0-9]+$' THEN NEW.id::text ELSE NEW.slug END;
    RETURN NEW;
END
$_$;

CREATE FUNCTION needs_attention(at timestamp with time zone) RETURNS TABLE(kind text, counted bigint)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
    SELECT 'export_pending', count(*) FROM order_exports e
    WHERE e.state = 'pending' AND e.updated_at < needs_attention.at - interval '4 hours'
    UNION ALL
    SELECT 'webhook_failing', count(*) FROM webhook_endpoints w
    WHERE w.is_active AND w.deleted_at IS NULL AND w.failing_since < needs_attention.at - interval '30 minutes'
    UNION ALL
    SELECT 'webhook_switched_off', count(*) FROM webhook_endpoints w
    WHERE NOT w.is_active AND w.deleted_at IS NULL AND w.off_reason IN ('FAILING', 'GONE')
      AND w.off_at > needs_attention.at - interval '24 hours'
    UNION ALL
    SELECT 'template_failing', count(*) FROM recurring_orders r
    WHERE r.is_active AND NOT r.is_paused AND NOT r.is_complete AND r.last_error IS NOT NULL
    UNION ALL
    SELECT 'order_left_over', count(*)
    FROM plans p JOIN organizations o ON o.id = p.org_id
    JOIN plan_unplanned u ON u.org_id = p.org_id AND u.plan_id = p.id
    CROSS JOIN LATERAL (SELECT (needs_attention.at AT TIME ZONE o.timezone)::date AS today) t
    WHERE p.day BETWEEN t.today - 1 AND t.today AND u.since < needs_attention.at - interval '30 minutes'
      AND (p.day = t.today OR EXISTS (SELECT FROM order_stops s
          WHERE s.org_id = u.org_id AND s.order_id = u.order_id AND s.kind = 'pickup' AND s.latest > needs_attention.at))
    UNION ALL
    SELECT 'carrier_refused', count(DISTINCT (c.org_id, c.carrier)) FROM refused_carrier_updates c
    WHERE c.refused_at > needs_attention.at - interval '1 hour'
    UNION ALL
    SELECT 'driver_silent', count(*) FROM exceptions x
    WHERE x.kind = 'SILENT_DRIVER' AND x.resolved_at IS NULL AND x.opened_at > needs_attention.at - interval '24 hours'
$$;

CREATE FUNCTION night_under_way(org bigint, driver bigint, at timestamp with time zone, ending boolean) RETURNS date
    LANGUAGE plpgsql STABLE
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
#variable_conflict use_variable
DECLARE
    today date;
    night record;
    ended timestamptz;
BEGIN
    SELECT (at AT TIME ZONE o.timezone)::date INTO today FROM organizations o WHERE o.id = org;
    SELECT r.plan_id, p.day, r.ends_at INTO night
    FROM plan_routes r JOIN plans p ON p.org_id = r.org_id AND p.id = r.plan_id
    WHERE r.org_id = org AND r.driver_id = driver AND r.plan_id = route_of_day(org, driver, today - 1);
    IF night.ends_at + interval '3 hours' > at THEN
        NULL;
    ELSE
        RETURN NULL;
    END IF;
    IF EXISTS (SELECT FROM driver_days y
        WHERE y.org_id = org AND y.driver_id = driver AND y.day = today AND y.started_at <= at) THEN
        RETURN NULL;
    END IF;
    SELECT y.ended_at INTO ended FROM driver_days y
    WHERE y.org_id = org AND y.driver_id = driver AND y.day = night.day AND y.ended_at < at;
    IF NOT ending AND ended IS NOT NULL AND NOT EXISTS (SELECT FROM driver_actions a
        WHERE a.org_id = org AND a.driver_id = driver AND a.occurred_at > ended AND a.occurred_at <= at
          AND a.stop_id IS NOT NULL)
        AND NOT EXISTS (SELECT FROM plan_stops s JOIN orders o ON o.org_id = s.org_id AND o.id = s.order_id
            WHERE s.org_id = org AND s.plan_id = night.plan_id AND s.driver_id = driver AND s.kind = 'pickup' AND o.status_id = 2
              AND EXISTS (SELECT FROM events e WHERE e.org_id = org AND e.subject_type = 'order' AND e.subject_id = s.order_id
                AND e.position IS NOT NULL AND e.kind = 'order.planned' AND e.driver_id = driver AND e.recorded_at > ended)) THEN
        RETURN NULL;
    END IF;
    IF EXISTS (SELECT FROM plan_routes r JOIN plans p ON p.org_id = r.org_id AND p.id = r.plan_id
        WHERE r.org_id = org AND r.driver_id = driver AND p.day = today AND r.starts_at <= at)
        AND NOT EXISTS (SELECT FROM plan_stops s JOIN orders o ON o.org_id = s.org_id AND o.id = s.order_id
            WHERE s.org_id = org AND s.plan_id = night.plan_id AND s.driver_id = driver AND o.status_id <= 5) THEN
        RETURN NULL;
    END IF;
    RETURN night.day;
END
$$;

CREATE FUNCTION note_cancellation() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    INSERT INTO order_moves (org_id, order_id, source, at, status_id)
    VALUES (NEW.org_id, NEW.id, CASE WHEN NEW.status_id = 8 THEN 'CANCELLED' ELSE 'REACTIVATED' END, clock_timestamp(),
        NEW.status_id);
    IF NEW.status_id <> 8 THEN
        DELETE FROM order_progress WHERE org_id = NEW.org_id AND order_id = NEW.id;
    END IF;
    RETURN NULL;
END
$$;

CREATE FUNCTION note_loose_documents() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    UPDATE documents d SET loose_since = now() FROM gone g WHERE d.org_id = g.org_id AND d.id = g.document_id;
    RETURN NULL;
END
$$;

CREATE FUNCTION note_name_of_location() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    INSERT INTO location_names (org_id, location_id, name) VALUES (old.org_id, old.id, old.name)
    ON CONFLICT DO NOTHING;
    RETURN NULL;
END
$$;

CREATE FUNCTION note_name_of_stop() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    INSERT INTO location_names (org_id, location_id, name)
    SELECT new.org_id, new.location_id, new.name FROM locations l
    WHERE l.org_id = new.org_id AND l.id = new.location_id AND l.name <> new.name
    ON CONFLICT DO NOTHING;
    RETURN NULL;
END
$$;

CREATE FUNCTION note_names_of_stops() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    INSERT INTO location_names (org_id, location_id, name)
    SELECT DISTINCT s.org_id, s.location_id, s.name
    FROM written s
    CROSS JOIN LATERAL (SELECT o.name FROM locations o WHERE o.org_id = s.org_id AND o.id = s.location_id OFFSET 0) l
    WHERE s.name <> l.name AND s.name <> ''
    ORDER BY 1, 2, 3
    ON CONFLICT DO NOTHING;
    RETURN NULL;
END
$$;

CREATE FUNCTION note_proof_since() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    IF TG_OP = 'INSERT' OR OLD.proof IS DISTINCT FROM NEW.proof THEN
        NEW.proof_since := CASE WHEN NEW.proof IS NOT NULL THEN now() END;
    END IF;
    RETURN NEW;
END
$$;

CREATE FUNCTION note_text_of_changed_contact() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    IF NOT order_texts_are_late() THEN
        PERFORM write_order_texts(s.org_id, ARRAY[s.order_id])
        FROM order_stops s WHERE s.org_id = NEW.org_id AND s.id = NEW.stop_id;
    END IF;
    RETURN NULL;
END
$$;

CREATE FUNCTION note_text_of_changed_stop() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    IF NOT order_texts_are_late() THEN
        PERFORM write_order_texts(NEW.org_id, ARRAY[NEW.order_id]);
    END IF;
    RETURN NULL;
END
$$;

CREATE FUNCTION note_text_of_moved_number() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    IF NOT order_texts_are_late() THEN
        PERFORM write_order_texts(NEW.org_id, ARRAY[OLD.order_id, NEW.order_id]);
    ELSIF OLD.order_id IS NOT NULL THEN
        PERFORM write_order_texts(NEW.org_id, ARRAY[OLD.order_id]);
    END IF;
    RETURN NULL;
END
$$;

CREATE FUNCTION note_texts_of_contacts() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    IF order_texts_are_late() THEN
        RETURN NULL;
    END IF;
    INSERT INTO order_texts (org_id, order_id, text)
    SELECT w.org_id, w.order_id, text_of_order(w.org_id, w.order_id)
    FROM (SELECT DISTINCT s.org_id, s.order_id FROM written c
        CROSS JOIN LATERAL (SELECT x.org_id, x.order_id FROM order_stops x
            WHERE x.org_id = c.org_id AND x.id = c.stop_id OFFSET 0) s) w
    ORDER BY 1, 2
    ON CONFLICT (org_id, order_id) DO UPDATE SET text = excluded.text WHERE order_texts.text <> excluded.text;
    RETURN NULL;
END
$$;

CREATE FUNCTION note_texts_of_orders() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    IF order_texts_are_late() THEN
        RETURN NULL;
    END IF;
    INSERT INTO order_texts (org_id, order_id, text)
    SELECT w.org_id, w.order_id, text_of_order(w.org_id, w.order_id)
    FROM (SELECT DISTINCT x.org_id, x.order_id FROM written x WHERE x.order_id IS NOT NULL) w
    ORDER BY 1, 2
    ON CONFLICT (org_id, order_id) DO UPDATE SET text = excluded.text WHERE order_texts.text <> excluded.text;
    RETURN NULL;
END
$$;

CREATE FUNCTION note_texts_without_contacts() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    IF order_texts_are_late() THEN
        RETURN NULL;
    END IF;
    UPDATE order_texts t SET text = text_of_order(t.org_id, t.order_id)
    FROM (SELECT DISTINCT s.org_id, s.order_id FROM gone c
        CROSS JOIN LATERAL (SELECT x.org_id, x.order_id FROM order_stops x
            WHERE x.org_id = c.org_id AND x.id = c.stop_id OFFSET 0) s) w
    WHERE t.org_id = w.org_id AND t.order_id = w.order_id;
    RETURN NULL;
END
$$;

CREATE FUNCTION number_of_event(kind text, number text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$
    SELECT CASE WHEN kind IN ('order.created', 'order.merged', 'order.cancelled', 'order.reactivated',
        'order.number_cancelled', 'order.number_replanned') THEN number END
$$;

CREATE FUNCTION oldest_waiting_messages(at timestamp with time zone) RETURNS TABLE(channel text, seconds double precision)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
    SELECT c.channel, coalesce(extract(epoch FROM oldest_waiting_messages.at - min(d.due)), 0)::double precision
    FROM (VALUES ('EMAIL'), ('SMS')) c (channel)
    LEFT JOIN (
        SELECT n.channel, greatest(n.created_at, n.send_window_from)
            + CASE WHEN n.unanswered > 0 THEN interval '40 minutes' ELSE interval '0' END AS due
        FROM notifications n WHERE n.status IN ('queued', 'job_dequeued')
    ) d ON d.channel = c.channel AND d.due < oldest_waiting_messages.at
    GROUP BY c.channel
$$;

CREATE FUNCTION order_custom_field_values(org bigint, order_id bigint, loads text[]) RETURNS jsonb
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$
    SELECT CASE WHEN 'CustomFieldValues' = ANY (loads) THEN jsonb_build_object('custom_field_values', (
        SELECT coalesce(jsonb_agg(jsonb_build_object('definition_id', d.id, 'external_id', d.external_id, 'label', d.label,
            'value', v.value, 'is_active', d.is_active, 'stop', v.stop, 'shown_on', shown_on(d.display_on, v.stop))
            ORDER BY d.external_id), '[]')
        FROM custom_field_values v JOIN custom_field_definitions d ON d.org_id = v.org_id AND d.id = v.definition_id
        WHERE v.org_id = org AND v.order_id = order_custom_field_values.order_id)) ELSE '{}' END
$$;

CREATE FUNCTION order_documentations_document(org bigint, order_id bigint) RETURNS jsonb
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$
    SELECT coalesce(jsonb_agg(jsonb_build_object('id', d.id, 'order_location_id', d.stop_id, 'type', d.type,
        'comment', d.comment, 'driver_id', d.driver_id, 'pictures', coalesce((
            SELECT jsonb_agg(x.sha256 ORDER BY x.place) FROM driver_actions a
            CROSS JOIN LATERAL jsonb_array_elements_text(a.data -> 'pictures') WITH ORDINALITY AS x (sha256, place)
            WHERE a.org_id = d.org_id AND a.id = d.action_id AND d.type = 'failure'), '[]'),
        'occurred_at', iso_utc(coalesce(d.occurred_at, d.created_at)),
        'created_at', iso_utc(d.created_at)) ORDER BY coalesce(d.occurred_at, d.created_at), d.id), '[]')
    FROM order_documentations d
    WHERE d.org_id = org AND d.order_id = order_documentations_document.order_id
$$;

CREATE FUNCTION order_documents_document(org bigint, order_id bigint) RETURNS jsonb
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$
    SELECT coalesce(jsonb_agg(jsonb_build_object('document_id', d.id, 'name', d.name, 'content_type', d.content_type,
        'size', d.size, 'created_at', iso_utc(a.attached_at)) ORDER BY a.attached_at, d.id), '[]')
    FROM order_documents a JOIN documents d ON d.org_id = a.org_id AND d.id = a.document_id
    WHERE a.org_id = org AND a.order_id = order_documents_document.order_id
$$;

CREATE FUNCTION order_locations_document(org bigint, order_id bigint, loads text[]) RETURNS jsonb
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$
    SELECT coalesce(jsonb_agg(
        d.base
        || CASE WHEN 'OrderLocations.Address' = ANY (loads) THEN jsonb_build_object('address', d.address) ELSE '{}' END
        || CASE WHEN 'OrderLocations.Location' = ANY (loads) THEN jsonb_build_object('location', (
            SELECT jsonb_build_object('id', l.id, 'external_id', l.external_id, 'name', l.name)
            FROM order_stops s JOIN locations l ON l.org_id = s.org_id AND l.id = s.location_id
            WHERE s.org_id = d.org_id AND s.id = d.id)) ELSE '{}' END
        || CASE WHEN 'OrderLocations.OrderLocationContacts' = ANY (loads) THEN jsonb_build_object('order_location_contacts', (
            SELECT coalesce(jsonb_agg(jsonb_build_object('id', c.id, 'first_name', c.first_name, 'last_name', c.last_name,
                'phone_number', c.phone_number, 'email_address', c.email_address) ORDER BY c.seq), '[]')
            FROM stop_contacts c WHERE c.org_id = d.org_id AND c.stop_id = d.id)) ELSE '{}' END
        || CASE WHEN 'OrderLocations.TrackTraces' = ANY (loads) THEN jsonb_build_object('track_traces',
            stop_track_traces(d.org_id, d.id)) ELSE '{}' END
        ORDER BY d.kind DESC), '[]')
    FROM order_stop_documents d
    WHERE d.org_id = org AND d.order_id = order_locations_document.order_id
$$;

CREATE FUNCTION order_lock_document(org bigint, order_id bigint) RETURNS jsonb
    LANGUAGE sql STABLE
    AS $$
    SELECT jsonb_build_object('driverId', l.driver_id, 'driverName', d.name, 'lockedBy', l.locked_by,
        'lockedByName', name_of_actor(org, l.locked_by), 'lockedAt', iso_utc(l.locked_at), 'reason', l.reason)
    FROM order_driver_locks l JOIN drivers d ON d.org_id = l.org_id AND d.id = l.driver_id
    WHERE l.org_id = org AND l.order_id = order_lock_document.order_id
$$;

CREATE FUNCTION order_parties(org bigint, order_id bigint, loads text[]) RETURNS jsonb
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$
    SELECT CASE WHEN 'Consignee' = ANY (loads) THEN jsonb_build_object('consignee', party_document(org, o.consignee_id)) ELSE '{}' END
        || CASE WHEN 'Consignor' = ANY (loads) THEN jsonb_build_object('consignor', party_document(org, o.consignor_id)) ELSE '{}' END
        || CASE WHEN 'Freight' = ANY (loads) THEN jsonb_build_object('freight', (
            SELECT jsonb_build_object('id', f.id, 'internal_freight_number', f.internal_freight_number,
                'consignee_id', f.consignee_id, 'consignor_id', f.consignor_id)
            FROM freights f WHERE f.org_id = org AND f.id = o.freight_id)) ELSE '{}' END
        || CASE WHEN 'Groups' = ANY (loads) THEN jsonb_build_object('groups', (
            SELECT coalesce(jsonb_agg(jsonb_build_object('id', g.id, 'name', g.name) ORDER BY g.name, g.id), '[]')
            FROM order_group_members m JOIN order_groups g ON g.org_id = m.org_id AND g.id = m.group_id
            WHERE m.org_id = org AND m.order_id = o.id)) ELSE '{}' END
        || CASE WHEN 'Prices' = ANY (loads) THEN jsonb_build_object('prices', (
            SELECT coalesce(jsonb_agg(jsonb_build_object('name', p.name, 'price', p.price::text, 'currency', p.currency,
                'quantity', p.quantity, 'computed', p.computed) ORDER BY p.seq), '[]')
            FROM order_prices p WHERE p.org_id = org AND p.order_id = o.id)) ELSE '{}' END
        || CASE WHEN 'ErpOrders' = ANY (loads) THEN jsonb_build_object('erp_orders', erp_orders_document(org, o.id)) ELSE '{}' END
    FROM orders o
    WHERE o.org_id = org AND o.id = order_parties.order_id
        AND loads && ARRAY['Consignee', 'Consignor', 'Freight', 'Groups', 'Prices', 'ErpOrders']
    UNION ALL
    SELECT '{}' WHERE NOT loads && ARRAY['Consignee', 'Consignor', 'Freight', 'Groups', 'Prices', 'ErpOrders']
$$;

CREATE FUNCTION order_planning(org bigint, order_id bigint, loads text[]) RETURNS jsonb
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$
    SELECT CASE WHEN 'Planning' = ANY (loads)
        THEN jsonb_build_object('planning', order_planning_document(org, order_planning.order_id)) ELSE '{}' END
$$;

CREATE FUNCTION order_planning_document(org bigint, order_id bigint) RETURNS jsonb
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$
    SELECT jsonb_strip_nulls(jsonb_build_object(
        'state', CASE
            WHEN o.status_id >= 6 OR EXISTS (SELECT FROM order_exports e WHERE e.org_id = org AND e.order_id = o.id
                AND e.exported_version > 0) THEN 'NONE'
            WHEN s.order_id IS NOT NULL THEN 'PLANNED'
            WHEN u.order_id IS NOT NULL THEN u.state
            ELSE 'PENDING' END,
        'certainty', u.certainty, 'searchedMs', u.searched_ms, 'date', p.day, 'departmentId', p.department_id,
        'driver', (SELECT jsonb_build_object('id', d.id, 'name', d.name)
            FROM drivers d WHERE d.org_id = org AND d.id = s.driver_id),
        'vehicle', (SELECT jsonb_build_object('id', v.id, 'registration', v.registration)
            FROM plan_routes r JOIN vehicles v ON v.org_id = r.org_id AND v.id = r.vehicle_id
            WHERE r.org_id = org AND r.plan_id = s.plan_id AND r.driver_id = s.driver_id),
        'pickup', planned_stop_document(org, o.id, 'pickup'),
        'delivery', planned_stop_document(org, o.id, 'delivery'),
        'unknownAddresses', unknown_addresses(org, o.id, u.reasons),
        'reasons', plan_reasons_document(org, coalesce(u.reasons, '[]')),
        'counterfactuals', plan_counterfactuals_document(org, o.id, u.counterfactuals),
        'nothingHelps', plan_nothing_helps_document(u.counterfactuals)))
    FROM orders o
    LEFT JOIN plan_stops s ON s.org_id = o.org_id AND s.order_id = o.id AND s.kind = 'delivery'
    LEFT JOIN plan_unplanned u ON u.org_id = o.org_id AND u.order_id = o.id AND s.order_id IS NULL
    LEFT JOIN plans p ON p.org_id = o.org_id AND p.id = coalesce(s.plan_id, u.plan_id)
    WHERE o.org_id = org AND o.id = order_planning_document.order_id
$$;

CREATE FUNCTION order_products_document(org bigint, order_id bigint, loads text[]) RETURNS jsonb
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$
    SELECT coalesce(jsonb_agg(
        d.base
        || CASE WHEN 'OrderProducts.Product' = ANY (loads) THEN jsonb_build_object('product', (
            SELECT jsonb_build_object('id', c.id, 'external_id', c.external_id, 'name', c.name)
            FROM order_products p JOIN products c ON c.org_id = p.org_id AND c.external_id = p.external_id
            WHERE p.org_id = d.org_id AND p.id = d.id)) ELSE '{}' END
        || CASE WHEN 'OrderProducts.OrderProductSkills' = ANY (loads) THEN jsonb_build_object('order_product_skills', (
            SELECT coalesce(jsonb_agg(jsonb_build_object('id', k.id, 'name', k.name, 'type', ps.type) ORDER BY k.name), '[]')
            FROM order_product_skills ps JOIN skills k ON k.org_id = ps.org_id AND k.id = ps.skill_id
            WHERE ps.org_id = d.org_id AND ps.order_product_id = d.id)) ELSE '{}' END
        || CASE WHEN 'OrderProducts.OrderProductUnits' = ANY (loads) THEN jsonb_build_object('order_product_units', (
            SELECT coalesce(jsonb_agg(jsonb_build_object('id', u.seq, 'name', u.name, 'quantity', u.quantity) ORDER BY u.seq), '[]')
            FROM order_products p
            JOIN products c ON c.org_id = p.org_id AND c.external_id = p.external_id
            JOIN product_units u ON u.org_id = c.org_id AND u.product_id = c.id
            WHERE p.org_id = d.org_id AND p.id = d.id)) ELSE '{}' END
        ORDER BY d.seq, d.id), '[]')
    FROM order_product_documents d
    WHERE d.org_id = org AND d.order_id = order_products_document.order_id
$$;

CREATE TABLE orders (
    org_id bigint NOT NULL,
    id bigint NOT NULL,
    number text NOT NULL,
    serial bigint NOT NULL,
    status_id smallint DEFAULT 1 NOT NULL,
    date date NOT NULL,
    reference text,
    customer_id bigint NOT NULL,
    department_id bigint,
    driver_id bigint,
    order_type_id bigint NOT NULL,
    vehicle_type_id bigint NOT NULL,
    internal_freight_number text,
    route_number text,
    consignee_id bigint,
    consignor_id bigint,
    freight_id bigint,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    cancelled_at timestamp with time zone,
    edited_at timestamp with time zone,
    replaced_vehicle_type_id bigint,
    planned_seconds integer,
    updated_hour timestamp with time zone GENERATED ALWAYS AS (date_bin('01:00:00'::interval, updated_at, '2000-01-01 00:00:00+00'::timestamp with time zone)) STORED NOT NULL,
    people_erased_at timestamp with time zone,
    proofs_erased_at timestamp with time zone,
    asks jsonb,
    CONSTRAINT orders_cancelled_check CHECK (((status_id = 8) = (cancelled_at IS NOT NULL)))
)
WITH (fillfactor='85');
ALTER TABLE ONLY orders ALTER COLUMN org_id SET STATISTICS 0;

CREATE VIEW v1_orders WITH (security_invoker='true') AS
 SELECT o.org_id,
    o.id,
    o.number,
    o.serial,
    o.status_id,
    o.date,
    o.customer_id,
    o.department_id,
    o.driver_id,
    o.order_type_id,
    o.vehicle_type_id,
    o.reference,
    o.internal_freight_number,
    o.route_number,
    o.created_at,
    o.updated_at,
    (jsonb_build_object('order_id', o.id, 'internal_order_number', o.number, 'serial_code', ('WB-'::text || o.serial), 'order_status_id', o.status_id, 'date', o.date, 'customer_id', o.customer_id, 'department_id', o.department_id, 'driver_id', o.driver_id, 'order_type_id', o.order_type_id, 'vehicle_type_id', o.vehicle_type_id, 'reference', o.reference, 'internal_freight_number', o.internal_freight_number, 'freight_id', o.freight_id, 'consignee_id', o.consignee_id, 'consignor_id', o.consignor_id, 'route_number', o.route_number, 'business_id', o.org_id, 'created_at', iso_utc(o.created_at), 'updated_at', iso_utc(o.updated_at), 'cancelled_at', iso_utc(o.cancelled_at)) || COALESCE(o.asks, '{}'::jsonb)) AS base
   FROM orders o;

CREATE FUNCTION order_relations(o v1_orders, loads text[]) RETURNS jsonb
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$
    SELECT CASE WHEN 'Customer' = ANY (loads) THEN jsonb_build_object('customer', (
            SELECT jsonb_build_object('id', c.id, 'external_id', c.external_id, 'business_name', c.business_name,
                'department_id', c.department_id)
            FROM customers c WHERE c.org_id = o.org_id AND c.id = o.customer_id)) ELSE '{}' END
        || CASE WHEN 'Department' = ANY (loads) THEN jsonb_build_object('department', (
            SELECT jsonb_build_object('id', d.id, 'name', d.name)
            FROM departments d WHERE d.org_id = o.org_id AND d.id = o.department_id)) ELSE '{}' END
        || CASE WHEN 'Driver' = ANY (loads) THEN jsonb_build_object('driver', (
            SELECT jsonb_build_object('id', d.id, 'name', d.name, 'phone_number', d.phone_number)
            FROM drivers d WHERE d.org_id = o.org_id AND d.id = o.driver_id)) ELSE '{}' END
        || CASE WHEN 'OrderStatus' = ANY (loads) THEN jsonb_build_object('order_status', (
            SELECT jsonb_build_object('id', s.id, 'name', s.name) FROM order_statuses s WHERE s.id = o.status_id)) ELSE '{}' END
        || CASE WHEN 'OrderType' = ANY (loads) THEN jsonb_build_object('order_type', (
            SELECT jsonb_build_object('id', t.id, 'name', t.name)
            FROM order_types t WHERE t.org_id = o.org_id AND t.id = o.order_type_id)) ELSE '{}' END
        || CASE WHEN 'VehicleType' = ANY (loads) THEN jsonb_build_object('vehicle_type', (
            SELECT jsonb_build_object('id', v.id, 'name', v.name)
            FROM vehicle_types v WHERE v.org_id = o.org_id AND v.id = o.vehicle_type_id)) ELSE '{}' END
        || CASE WHEN 'Skills' = ANY (loads) THEN jsonb_build_object('skills', order_skills_document(o.org_id, o.id)) ELSE '{}' END
        || CASE WHEN 'Documents' = ANY (loads) THEN jsonb_build_object('documents', order_documents_document(o.org_id, o.id)) ELSE '{}' END
        || CASE WHEN 'Documentations' = ANY (loads) THEN jsonb_build_object('documentations',
            order_documentations_document(o.org_id, o.id)) ELSE '{}' END
        || CASE WHEN 'OrderLocations' = ANY (loads)
            THEN jsonb_build_object('order_locations', order_locations_document(o.org_id, o.id, loads)) ELSE '{}' END
        || CASE WHEN 'OrderProducts' = ANY (loads)
            THEN jsonb_build_object('order_products', order_products_document(o.org_id, o.id, loads)) ELSE '{}' END
$$;

CREATE FUNCTION order_skills_document(org bigint, order_id bigint) RETURNS jsonb
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$
    SELECT coalesce(jsonb_agg(DISTINCT jsonb_build_object('id', k.id, 'name', k.name, 'type', x.type)), '[]')
    FROM (
        SELECT ss.skill_id, ss.type FROM order_stops s
        JOIN stop_skills ss ON ss.org_id = s.org_id AND ss.stop_id = s.id
        WHERE s.org_id = org AND s.order_id = order_skills_document.order_id
        UNION ALL
        SELECT ps.skill_id, ps.type FROM order_products p
        JOIN order_product_skills ps ON ps.org_id = p.org_id AND ps.order_product_id = p.id
        WHERE p.org_id = org AND p.order_id = order_skills_document.order_id
    ) x JOIN skills k ON k.org_id = org AND k.id = x.skill_id
$$;

CREATE FUNCTION order_texts_are_late() RETURNS boolean
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN (COALESCE(current_setting('app.order_texts'::text, true), ''::text) = 'later'::text);

CREATE FUNCTION overdue_templates(at timestamp with time zone) RETURNS bigint
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
    SELECT count(*) FROM recurring_orders r JOIN organizations o ON o.id = r.org_id
    WHERE r.is_active AND NOT r.is_paused AND NOT r.is_complete AND o.closed_at IS NULL
      AND coalesce(r.generated_through < (overdue_templates.at AT TIME ZONE o.timezone)::date, true)
      AND (r.owes OR coalesce(r.next_run_at <= overdue_templates.at, true))
$$;

CREATE FUNCTION party_document(org bigint, customer_id bigint) RETURNS jsonb
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$
    SELECT jsonb_build_object('id', c.id, 'external_id', c.external_id, 'business_name', c.business_name,
        'department_id', c.department_id)
    FROM customers c WHERE c.org_id = org AND c.id = party_document.customer_id
$$;

CREATE FUNCTION people_in_document(body text, pattern text) RETURNS TABLE(name text, addresses text[])
    LANGUAGE plpgsql IMMUTABLE
    AS $_$
BEGIN
    RETURN QUERY
    SELECT trim(concat_ws(' ', max(m.value) FILTER (WHERE m.key = 'firstname'), max(m.value) FILTER (WHERE m.key = 'lastname'))),
        coalesce(array_agg(DISTINCT m.value) FILTER (WHERE m.key IN ('phonenumber', 'emailaddress') AND m.value <> ''), '{}')
    FROM jsonb_path_query(body::jsonb, 'strict $.**') WITH ORDINALITY AS o (doc, n)
    CROSS JOIN LATERAL (
        SELECT replace(lower(e.key), '_', '') AS key, e.value #>> '{}' AS value
        FROM jsonb_each(CASE WHEN jsonb_typeof(o.doc) = 'object' THEN o.doc ELSE '{}' END) e
        WHERE jsonb_typeof(e.value) = 'string'
    ) m
    WHERE m.key IN ('firstname', 'lastname', 'phonenumber', 'emailaddress')
    GROUP BY o.n
    HAVING bool_or(m.key IN ('phonenumber', 'emailaddress') AND m.value ~* pattern);
EXCEPTION WHEN data_exception THEN
    RETURN;
END
$_$;

CREATE FUNCTION place_number(latitude double precision, longitude double precision) RETURNS bigint
    LANGUAGE sql IMMUTABLE
    AS $$
    SELECT (round(latitude * 100000)::bigint << 32) | (round(longitude * 100000)::bigint & 4294967295)
$$;

CREATE FUNCTION place_of_database() RETURNS text
    LANGUAGE plpgsql STABLE
    AS $$
BEGIN
    RETURN (SELECT c.system_identifier FROM pg_control_system() c) || '/'
        || (SELECT d.oid FROM pg_database d WHERE d.datname = current_database());
EXCEPTION WHEN insufficient_privilege OR undefined_function THEN
    RETURN '';
END
$$;

CREATE FUNCTION places_known(org bigint) RETURNS TABLE(has_register boolean, has_pins boolean, has_answers boolean)
    LANGUAGE sql STABLE
    AS $$
    SELECT EXISTS (SELECT FROM place_sources), EXISTS (SELECT FROM place_pins p WHERE p.org_id = org),
        EXISTS (SELECT FROM place_answers a WHERE a.org_id = org)
$$;

CREATE FUNCTION places_waiting() RETURNS bigint
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
    SELECT coalesce(sum(w.waiting), 0)::bigint FROM place_work w
$$;

CREATE FUNCTION plan_counterfactuals_document(org bigint, order_id bigint, counterfactuals jsonb) RETURNS jsonb
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$
    SELECT coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
        'change', c.value->>'change',
        'value', CASE c.value->>'change'
            WHEN 'EXTRA_DRIVER' THEN concat_ws('/', c.value->>'starts', c.value->>'ends')
            WHEN 'WITHOUT_ORDER' THEN c.value->>'orderId'
            WHEN 'LATE_ORDERS' THEN c.value->>'lateOrders'
            WHEN 'TIME_ON_BOARD' THEN concat('PT', c.value->>'seconds', 'S')
            WHEN 'WORKDAY_END' THEN concat('PT', c.value->>'seconds', 'S')
            WHEN 'OTHER_VEHICLE' THEN c.value->>'vehicleTypeId'
            WHEN 'SPLIT_ORDER' THEN c.value->>'parts'
            ELSE (SELECT iso_utc(s.latest + (c.value->>'seconds')::int * interval '1 second') FROM order_stops s
                WHERE s.org_id = org AND s.order_id = plan_counterfactuals_document.order_id
                  AND s.kind = lower(split_part(c.value->>'change', '_', 1))) END,
        'bySeconds', c.value->'seconds', 'driverId', c.value->'driverId', 'vehicleTypeId', c.value->'vehicleTypeId',
        'skills', (SELECT jsonb_agg(k.name ORDER BY k.name) FROM jsonb_array_elements_text(c.value->'skillIds') i
            JOIN skills k ON k.org_id = org AND k.id = i.value::bigint),
        'serves', c.value->'serves', 'movesOrders', c.value->'movesOrders', 'load', c.value->'load'
    )) ORDER BY c.ordinality), '[]')
    FROM jsonb_array_elements(coalesce(plan_counterfactuals_document.counterfactuals, '[]')) WITH ORDINALITY c
    WHERE c.value->>'change' <> 'NOTHING'
$$;

CREATE FUNCTION plan_nothing_helps_document(counterfactuals jsonb) RETURNS jsonb
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$
    SELECT jsonb_build_object('code', c.value->>'why')
    FROM jsonb_array_elements(plan_nothing_helps_document.counterfactuals) c WHERE c.value->>'change' = 'NOTHING'
$$;

CREATE FUNCTION plan_reasons_document(org bigint, reasons jsonb) RETURNS jsonb
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$
    SELECT coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
        'code', r.value->>'code', 'drivers', coalesce(r.value->'drivers', '[]'), 'count', coalesce(r.value->'count', '0'),
        'lateBySeconds', CASE WHEN r.value->>'code' IN ('WEIGHT', 'VOLUME', 'COLLI', 'LOAD_DIMENSION', 'ROUTE_TOO_FAR', 'TOO_MANY_STOPS')
            THEN NULL ELSE r.value->'by' END,
        'overBy', CASE WHEN r.value->>'code' IN ('WEIGHT', 'VOLUME', 'COLLI', 'LOAD_DIMENSION', 'ROUTE_TOO_FAR', 'TOO_MANY_STOPS') THEN r.value->'by' END,
        'skill', (SELECT k.name FROM skills k WHERE k.org_id = org AND k.id = (r.value->>'skillId')::bigint),
        'lacks', r.value->'lacks', 'stop', upper(r.value->>'stop'), 'nearest', r.value->'nearest', 'load', r.value->'load',
        'closed', r.value->'closed'
    )) ORDER BY r.ordinality), '[]')
    FROM jsonb_array_elements(plan_reasons_document.reasons) WITH ORDINALITY r
$$;

CREATE FUNCTION planned_stop_document(org bigint, order_id bigint, kind text) RETURNS jsonb
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$
    SELECT jsonb_build_object('sequence', p.seq, 'arrivesAt', iso_utc(p.arrives_at), 'startsAt', iso_utc(p.starts_at),
        'leavesAt', iso_utc(p.leaves_at), 'eta', iso_utc(coalesce(e.eta, p.eta)))
    FROM plan_stops p
    LEFT JOIN live_etas e ON e.org_id = p.org_id AND e.order_id = p.order_id AND e.kind = p.kind AND e.driver_id = p.driver_id
    WHERE p.org_id = org AND p.order_id = planned_stop_document.order_id AND p.kind = planned_stop_document.kind
$$;

CREATE FUNCTION proof_asked(org bigint, of_type bigint) RETURNS jsonb
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$
    SELECT jsonb_build_object(
        'inPerson', jsonb '{"name": "required", "signature": "optional", "photo": "optional", "scan": "optional", "comment": "optional"}'
            || coalesce(o.proof -> 'in_person', '{}') || coalesce(t.proof -> 'in_person', '{}'),
        'contactless', jsonb '{"photo": "required", "scan": "optional", "comment": "optional"}'
            || coalesce(o.proof -> 'contactless', '{}') || coalesce(t.proof -> 'contactless', '{}'),
        'failure', jsonb '{"photo": "optional", "comment": "optional"}'
            || coalesce(o.proof -> 'failure', '{}') || coalesce(t.proof -> 'failure', '{}'),
        'since', jsonb_build_object(
            'inPerson', iso_utc(greatest(CASE WHEN o.proof ? 'in_person' THEN o.proof_since END,
                CASE WHEN t.proof ? 'in_person' THEN t.proof_since END)),
            'contactless', iso_utc(greatest(CASE WHEN o.proof ? 'contactless' THEN o.proof_since END,
                CASE WHEN t.proof ? 'contactless' THEN t.proof_since END)),
            'failure', iso_utc(greatest(CASE WHEN o.proof ? 'failure' THEN o.proof_since END,
                CASE WHEN t.proof ? 'failure' THEN t.proof_since END))))
    FROM organizations o LEFT JOIN order_types t ON t.org_id = o.id AND t.id = of_type
    WHERE o.id = org
$$;

CREATE FUNCTION prune(master regclass, org bigint, unused bigint[], used bigint[]) RETURNS bigint
    LANGUAGE plpgsql
    AS $_$
DECLARE
    stamp text := '';
    deleted bigint;
    deactivated bigint;
BEGIN
    IF EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = master AND a.attname = 'updated_at' AND NOT a.attisdropped) THEN
        stamp := ', updated_at = now()';
    END IF;
    EXECUTE format('DELETE FROM %s WHERE org_id = $1 AND id = ANY ($2)', master) USING org, unused;
    GET DIAGNOSTICS deleted = ROW_COUNT;
    EXECUTE format('UPDATE %s SET is_active = false%s WHERE org_id = $1 AND id = ANY ($2) AND is_active', master, stamp)
        USING org, used;
    GET DIAGNOSTICS deactivated = ROW_COUNT;
    RETURN deleted + deactivated;
END
$_$;

COMMENT ON FUNCTION prune(master regclass, org bigint, unused bigint[], used bigint[]) IS 'Deletes unused master data and marks the used inactive.';

CREATE FUNCTION raise_alerts(org bigint, rules bigint[], drivers bigint[], orders bigint[], stops text[], exceptions bigint[], minutes bigint[], ats timestamp with time zone[], days date[], most_emails bigint) RETURNS void
    LANGUAGE sql
    AS $$
WITH causes AS (
    SELECT x.place, x.rule_id, nullif(x.driver_id, 0) AS driver_id, nullif(x.order_id, 0) AS order_id, nullif(x.stop, '') AS stop,
        nullif(x.exception_id, 0) AS exception_id, nullif(x.minutes, 0) AS minutes, x.at, x.day
    FROM unnest(raise_alerts.rules, raise_alerts.drivers, raise_alerts.orders, raise_alerts.stops, raise_alerts.exceptions,
        raise_alerts.minutes, raise_alerts.ats, raise_alerts.days)
        WITH ORDINALITY AS x (rule_id, driver_id, order_id, stop, exception_id, minutes, at, day, place)
), wanted AS (
    SELECT c.*, r.kind, r.channels, r.emails, (
            SELECT coalesce(sum(cardinality(a.emails)), 0) FROM alerts a
            WHERE a.org_id = raise_alerts.org AND a.raised_at > now() - interval '1 hour' AND a.emails <> '{}'
        ) + sum(cardinality(r.emails)) OVER (ORDER BY c.place) AS mailed
    FROM causes c JOIN alert_rules r ON r.org_id = raise_alerts.org AND r.id = c.rule_id AND r.is_active
    WHERE NOT EXISTS (
        SELECT FROM alerts a
        WHERE a.org_id = raise_alerts.org AND a.rule_id = c.rule_id AND a.day = c.day AND a.resolved_at IS NULL
          AND a.driver_id IS NOT DISTINCT FROM c.driver_id AND a.order_id IS NOT DISTINCT FROM c.order_id
          AND a.stop IS NOT DISTINCT FROM c.stop AND a.exception_id IS NOT DISTINCT FROM c.exception_id
    )
), raised AS (
    INSERT INTO alerts (org_id, rule_id, kind, channels, emails, day, driver_id, order_id, stop, exception_id, minutes, at)
    SELECT raise_alerts.org, w.rule_id, w.kind, w.channels,
        CASE WHEN w.mailed <= raise_alerts.most_emails THEN w.emails ELSE '{}' END,
        w.day, w.driver_id, w.order_id, w.stop, w.exception_id, w.minutes, w.at
    FROM wanted w ORDER BY w.place
    ON CONFLICT DO NOTHING
    RETURNING id, rule_id, kind, channels, emails, day, driver_id, order_id, stop
)
INSERT INTO events (org_id, kind, subject_type, subject_id, order_id, external_id, order_status_id, driver_id, stop, product_ids, data)
SELECT raise_alerts.org, e.kind, CASE WHEN e.order_id IS NULL THEN 'driver' ELSE 'order' END, coalesce(e.order_id, r.driver_id),
    e.order_id, coalesce(o.number, r.day::text), CASE WHEN e.is_public THEN o.status_id END, r.driver_id, e.stop,
    CASE WHEN e.is_public THEN '{}'::bigint[] END,
    jsonb_build_object('alert', r.id, 'rule', r.rule_id, 'kind', r.kind, 'emails', cardinality(r.emails))
FROM raised r
-- Integrators know orders: they are told of a driver by the order of the next stop.
LEFT JOIN LATERAL (
    SELECT x.order_id, x.kind FROM plan_stops x
    JOIN plans p ON p.org_id = x.org_id AND p.id = x.plan_id AND p.day = r.day
    LEFT JOIN order_progress g ON g.org_id = x.org_id AND g.order_id = x.order_id
    WHERE r.order_id IS NULL AND x.org_id = raise_alerts.org AND x.driver_id = r.driver_id
      AND coalesce(CASE x.kind WHEN 'pickup' THEN g.pickup_status ELSE g.delivery_status END, '') NOT IN ('completed', 'failed')
    ORDER BY x.seq LIMIT 1
) next ON true
CROSS JOIN LATERAL (VALUES
    ('alert.raised', false, r.order_id, r.stop),
    ('order.alerted', true, coalesce(r.order_id, next.order_id), coalesce(r.stop, next.kind))
) AS e (kind, is_public, order_id, stop)
LEFT JOIN orders o ON o.org_id = raise_alerts.org AND o.id = e.order_id
WHERE NOT e.is_public OR 'WEBHOOK' = ANY (r.channels) AND e.order_id IS NOT NULL
ORDER BY r.id, e.is_public;
$$;

CREATE FUNCTION relay_beat(member uuid, member_name text, lease double precision, given_up smallint[]) RETURNS TABLE(leads boolean, share integer, shards smallint[], terms bigint[])
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET jit TO 'off'
    SET lock_timeout TO '200ms'
    AS $$
DECLARE
    free integer; -- how many shards it may take
BEGIN
    -- A renewal that a crash of the server loses only ends a lease early.
    PERFORM set_config('synchronous_commit', 'off', true);
    IF EXISTS (SELECT FROM relay_members m WHERE m.expires_at <= clock_timestamp()) THEN
        BEGIN
            DELETE FROM relay_members m WHERE m.expires_at <= clock_timestamp();
        EXCEPTION WHEN lock_not_available THEN
            NULL;
        END;
    END IF;
    INSERT INTO relay_members (id, name, expires_at)
    VALUES (member, member_name, clock_timestamp() + make_interval(secs => lease))
    ON CONFLICT (id) DO UPDATE SET expires_at = excluded.expires_at;

    UPDATE relay_shards s SET holder = NULL WHERE s.holder = member AND s.shard = ANY (given_up);
    UPDATE event_sequencer s SET leader = member WHERE s.leader IS NULL;
    SELECT ceil(count(*)::numeric / (SELECT count(*) FROM relay_members)), count(*) FILTER (WHERE s.holder = member)
    INTO share, free FROM relay_shards s;
    free := greatest(share - free, 0);
    UPDATE relay_shards s SET holder = member, term = s.term + 1
    WHERE s.shard IN (SELECT f.shard FROM relay_shards f WHERE f.holder IS NULL
        ORDER BY f.shard LIMIT free FOR UPDATE SKIP LOCKED);

    SELECT EXISTS (SELECT FROM event_sequencer s WHERE s.leader = member) INTO leads;
    SELECT coalesce(array_agg(s.shard ORDER BY s.shard), '{}'), coalesce(array_agg(s.term ORDER BY s.shard), '{}')
    INTO shards, terms FROM relay_shards s WHERE s.holder = member;
    RETURN NEXT;
END
$$;

CREATE FUNCTION reminding_organizations(at timestamp with time zone) RETURNS TABLE(id bigint, today date)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
    SELECT o.id, (reminding_organizations.at AT TIME ZONE o.timezone)::date FROM organizations o
    WHERE o.closed_at IS NULL AND extract(hour FROM reminding_organizations.at AT TIME ZONE o.timezone) >= 9
      AND EXISTS (SELECT FROM notification_rules r WHERE r.org_id = o.id AND r.event = 'ORDER_REMINDER' AND r.is_active)
    ORDER BY o.id
$$;

CREATE FUNCTION retaining_organizations(after bigint) RETURNS TABLE(id bigint, people_days bigint, proofs_days bigint, drivers_days bigint)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
    SELECT o.id, o.keep_people_days, o.keep_proofs_days, o.keep_drivers_days FROM organizations o
    WHERE greatest(o.keep_people_days, o.keep_proofs_days, o.keep_drivers_days) > 0 AND o.closed_at IS NULL
      AND o.id > retaining_organizations.after
    ORDER BY o.id
$$;

CREATE FUNCTION road_profiles(of_organization integer) RETURNS TABLE(profile text)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
    SELECT p.profile
    FROM (
        SELECT lower(vehicle_profile(t)) AS profile,
            row_number() OVER (PARTITION BY t.org_id ORDER BY count(v.id) DESC, min(t.id)) AS place
        FROM vehicle_types t
            JOIN organizations o ON o.id = t.org_id AND o.closed_at IS NULL
            LEFT JOIN vehicles v ON v.org_id = t.org_id AND v.vehicle_type_id = t.id AND v.is_active
        WHERE t.is_active OR v.id IS NOT NULL
        GROUP BY t.org_id, lower(vehicle_profile(t))) p
    WHERE p.place <= of_organization
    GROUP BY p.profile
    ORDER BY count(*) DESC, p.profile
$$;

CREATE FUNCTION route_of_day(org bigint, driver bigint, day date) RETURNS bigint
    LANGUAGE plpgsql STABLE
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
DECLARE
    ids bigint[];
BEGIN
    SELECT array_agg(p.id) INTO ids
    FROM plans p JOIN plan_routes r ON r.org_id = p.org_id AND r.plan_id = p.id AND r.driver_id = driver
    WHERE p.org_id = org AND p.day = route_of_day.day;
    IF coalesce(cardinality(ids), 0) <= 1 THEN
        RETURN ids[1];
    END IF;
    RETURN coalesce(begun_route(org, driver, route_of_day.day), (
        SELECT p.id FROM plans p JOIN drivers d ON d.org_id = p.org_id AND d.id = driver
        WHERE p.org_id = org AND p.id = ANY (ids)
        ORDER BY p.department_id IS NOT DISTINCT FROM d.department_id DESC, p.id DESC LIMIT 1));
END
$$;

CREATE FUNCTION search_notifications(wanted_channel text, pattern text, wanted_order bigint, ascending boolean, page_size integer, page_offset bigint) RETURNS TABLE(id bigint, total bigint)
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $_$
BEGIN
    RETURN QUERY EXECUTE format($q$
        WITH found AS MATERIALIZED (
            SELECT n.id FROM notifications n
            WHERE n.org_id = $1 AND n.channel = $2 AND n.receiver ILIKE $3
              AND ($4 IS NULL OR coalesce(n.order_id, 0) = $4)
        )
        SELECT f.id, (SELECT count(*) FROM found) FROM found f ORDER BY f.id %s LIMIT $5 OFFSET $6
    $q$, CASE WHEN ascending THEN 'ASC' ELSE 'DESC' END)
    USING current_org(), wanted_channel, pattern, wanted_order, page_size, page_offset;
END
$_$;

CREATE FUNCTION seats_held(org bigint, of_interval bigint, on_day date) RETURNS integer
    LANGUAGE plpgsql STABLE
    AS $$
BEGIN
    RETURN (SELECT count(*) FROM schedule_holds h
        WHERE h.org_id = org AND h.interval_id = of_interval AND h.day = on_day AND h.ends_at > clock_timestamp());
END
$$;

CREATE FUNCTION sequence_events(batch integer) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET jit TO 'off'
    AS $$
DECLARE
    start bigint;
    given integer;
    behind bigint;
    complete boolean;
    -- All that had ended by this snapshot is seen by each statement that follows.
    seen pg_snapshot := pg_current_snapshot();
BEGIN
    SELECT s.swept_id, s.looked_at_all < clock_timestamp() - interval '1 minute' INTO behind, complete FROM event_sequencer s;
    IF complete THEN
        behind := 0;
    END IF;
    IF NOT EXISTS (SELECT FROM events e WHERE e.position IS NULL AND e.id > behind) THEN
        PERFORM sweep_events(seen);
        IF complete THEN
            UPDATE event_sequencer SET looked_at_all = clock_timestamp();
        END IF;
        RETURN 0;
    END IF;
    SELECT last_position INTO start FROM event_sequencer FOR UPDATE;
    -- This statement's snapshot is younger than the lock, so it sees all that
    -- earlier sequencers gave.
    WITH waiting AS (
        SELECT org_id, id, recorded_at FROM events WHERE position IS NULL AND id > behind ORDER BY id LIMIT batch
    ), numbered AS (
        SELECT org_id, id, recorded_at, start + row_number() OVER (ORDER BY id) AS position FROM waiting
    )
    UPDATE events e SET position = n.position
    FROM numbered n WHERE e.org_id = n.org_id AND e.id = n.id AND e.recorded_at = n.recorded_at;
    GET DIAGNOSTICS given = ROW_COUNT;
    UPDATE event_sequencer SET last_position = start + given,
        looked_at_all = CASE WHEN complete THEN clock_timestamp() ELSE looked_at_all END;
    IF given < batch THEN
        PERFORM sweep_events(seen);
    END IF;
    RETURN given;
END
$$;

CREATE FUNCTION sequence_events_of_leader(member uuid, batch integer) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    AS $$
BEGIN
    IF EXISTS (SELECT FROM events e WHERE e.position IS NULL
        AND e.id > (SELECT CASE WHEN s.looked_at_all < clock_timestamp() - interval '1 minute' THEN 0 ELSE s.swept_id END
            FROM event_sequencer s)) THEN
        PERFORM FROM event_sequencer FOR UPDATE;
    END IF;
    -- This statement's snapshot is younger than the lock.
    IF NOT EXISTS (SELECT FROM event_sequencer s JOIN relay_members m ON m.id = s.leader
        WHERE s.leader = member AND m.expires_at > clock_timestamp()) THEN
        RETURN -1;
    END IF;
    RETURN sequence_events(batch);
END
$$;

CREATE FUNCTION shown_on(display_on text, stop text) RETURNS text[]
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN (display_on = ANY (ARRAY['pickup'::text, 'delivery'::text])) THEN ARRAY[display_on] WHEN ((stop IS NULL) OR (display_on = 'both'::text)) THEN ARRAY['pickup'::text, 'delivery'::text] WHEN ((display_on = 'current'::text) = (stop = 'pickup'::text)) THEN ARRAY['pickup'::text] ELSE ARRAY['delivery'::text] END;

CREATE FUNCTION sign_in_pause(failures integer, free integer, longest integer, at timestamp with time zone) RETURNS timestamp with time zone
    LANGUAGE sql IMMUTABLE
    RETURN (at + ('00:00:01'::interval * CASE WHEN (failures < free) THEN (0)::double precision ELSE LEAST(power((2)::double precision, (LEAST((failures - free), 20))::double precision), (longest)::double precision) END));

CREATE FUNCTION simulated_day(org bigint, at timestamp with time zone) RETURNS date
    LANGUAGE sql STABLE
    AS $$
    SELECT v.day FROM sandbox_runs v
    WHERE v.org_id = org AND v.started_at <= simulated_day.at AND (v.ended_at IS NULL OR v.ended_at >= simulated_day.at)
    ORDER BY v.id DESC LIMIT 1
$$;

CREATE FUNCTION source_of_caller() RETURNS text
    LANGUAGE sql STABLE
    RETURN CASE split_part(COALESCE(current_setting('app.actor'::text, true), ''::text), ':'::text, 1) WHEN 'key'::text THEN 'api'::text WHEN 'user'::text THEN 'console'::text ELSE 'document'::text END;

COMMENT ON FUNCTION source_of_caller() IS 'Where master data comes from that the caller makes.';

CREATE FUNCTION sscc_prefix_is_taken(prefix text) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
BEGIN
    IF starts_with(prefix, '952')
        OR EXISTS (SELECT FROM organizations o WHERE o.id = current_org() AND o.sscc_prefix = prefix) THEN
        RETURN false;
    END IF;
    PERFORM pg_advisory_xact_lock(hashtext('waybill.sscc_prefixes'));
    RETURN EXISTS (SELECT FROM organizations o WHERE o.id <> current_org()
        AND (starts_with(o.sscc_prefix, prefix) OR starts_with(prefix, o.sscc_prefix)));
END
$$;

CREATE TABLE order_stops (
    org_id bigint NOT NULL,
    id bigint NOT NULL,
    order_id bigint NOT NULL,
    kind text NOT NULL,
    location_id bigint NOT NULL,
    name text DEFAULT ''::text NOT NULL,
    address1 text,
    address2 text,
    postal_code text,
    city text,
    state text,
    country text,
    latitude double precision,
    longitude double precision,
    earliest timestamp with time zone NOT NULL,
    latest timestamp with time zone NOT NULL,
    window_source text NOT NULL,
    estimated_time_on_location integer,
    send_notification_before_arriving boolean,
    instructions text,
    customer_instructions text,
    parking_instructions text,
    priority text DEFAULT 'LOCATION_PRIORITY_NORMAL'::text NOT NULL,
    cancelled_at timestamp with time zone,
    "position" jsonb,
    asks jsonb,
    CONSTRAINT order_stops_kind_check CHECK ((kind = ANY (ARRAY['pickup'::text, 'delivery'::text]))),
    CONSTRAINT order_stops_window_check CHECK ((earliest < latest))
)
WITH (fillfactor='85');
ALTER TABLE ONLY order_stops ALTER COLUMN org_id SET STATISTICS 0;

CREATE FUNCTION stop_position(s order_stops) RETURNS jsonb
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN CASE WHEN (((s).latitude IS NOT NULL) AND ((s).longitude IS NOT NULL)) THEN jsonb_build_object('latitude', (s).latitude, 'longitude', (s).longitude, 'precision', 'GIVEN', 'source', 'ORDER') WHEN (((s)."position" ->> 'source'::text) = 'PERSON'::text) THEN (s)."position" ELSE COALESCE((SELECT jsonb_build_object('latitude', l.latitude, 'longitude', l.longitude, 'precision', 'GIVEN', 'source', 'LOCATION') AS jsonb_build_object FROM locations l WHERE ((l.org_id = (stop_position.s).org_id) AND (l.id = (stop_position.s).location_id) AND (l.latitude IS NOT NULL) AND (l.longitude IS NOT NULL))), (s)."position", '{"precision": "UNKNOWN"}'::jsonb) END;

CREATE FUNCTION stop_track_traces(org bigint, stop bigint) RETURNS jsonb
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$
    SELECT coalesce(jsonb_agg(jsonb_build_object('code', l.code, 'tracking_link', l.link, 'expires_at', iso_utc(l.expires_at))
        ORDER BY l.created_at, l.code), '[]')
    FROM tracking_links l
    WHERE l.org_id = org AND l.stop_id = stop AND l.revoked_at IS NULL AND l.expires_at > now()
$$;

CREATE FUNCTION sweep_events(seen pg_snapshot) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'public', 'pg_temp'
    AS $$
DECLARE
    taken bigint := (SELECT last_value FROM events_id_seq);
BEGIN
    UPDATE event_sequencer s SET
        swept_id = CASE WHEN s.marked_xid <= pg_snapshot_xmin(seen) THEN s.marked_id ELSE s.swept_id END,
        marked_id = CASE WHEN s.marked_id IS NULL OR s.marked_xid <= pg_snapshot_xmin(seen) OR s.marked_xid > pg_snapshot_xmax(seen)
            THEN taken ELSE s.marked_id END,
        marked_at = CASE WHEN s.marked_id IS NULL OR s.marked_xid <= pg_snapshot_xmin(seen) OR s.marked_xid > pg_snapshot_xmax(seen)
            THEN clock_timestamp() ELSE s.marked_at END,
        marked_xid = CASE
            WHEN s.marked_xid <= pg_snapshot_xmin(seen) OR s.marked_xid > pg_snapshot_xmax(seen) THEN NULL
            WHEN s.marked_xid IS NULL AND s.marked_at < clock_timestamp() - interval '2 seconds' THEN pg_snapshot_xmax(seen)
            ELSE s.marked_xid END
    WHERE s.swept_id < taken AND (s.marked_id IS NULL OR s.marked_xid <= pg_snapshot_xmin(seen)
        OR s.marked_xid > pg_snapshot_xmax(seen) OR s.marked_xid IS NULL AND s.marked_at < clock_timestamp() - interval '2 seconds');
END
$$;

CREATE FUNCTION take_seat(for_order bigint, for_draft bigint, version text, of_interval bigint, on_day date, pickup_from timestamp with time zone, pickup_to timestamp with time zone, delivery_from timestamp with time zone, delivery_to timestamp with time zone, hold bigint DEFAULT 0, OUT taken_at timestamp with time zone, OUT taken integer) RETURNS record
    LANGUAGE plpgsql
    AS $$
DECLARE
    org bigint := current_org();
    called text;
    seats integer;
    full_already boolean;
BEGIN
    IF for_order <> 0 THEN
        UPDATE orders o SET updated_at = now() WHERE o.org_id = org AND o.id = for_order AND o.xmin::text = version
        RETURNING o.number INTO called;
    ELSE
        SELECT coalesce(d.external_id, '') INTO called FROM drafts d
        WHERE d.org_id = org AND d.id = for_draft AND d.xmin::text = version FOR UPDATE;
    END IF;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'it has changed' USING ERRCODE = 'WB001';
    END IF;

    INSERT INTO bookings AS b (org_id, order_id, draft_id, interval_id, day, pickup_earliest, pickup_latest, delivery_earliest,
        delivery_latest, own_pickup_earliest, own_pickup_latest, own_pickup_source, own_delivery_earliest, own_delivery_latest,
        own_delivery_source)
    SELECT org, nullif(for_order, 0), nullif(for_draft, 0), of_interval, on_day, pickup_from, pickup_to, delivery_from, delivery_to,
        p.earliest, p.latest, p.window_source, d.earliest, d.latest, d.window_source
    FROM (VALUES (1)) AS one
    LEFT JOIN order_stops p ON p.org_id = org AND p.order_id = for_order AND p.kind = 'pickup'
    LEFT JOIN order_stops d ON d.org_id = org AND d.order_id = for_order AND d.kind = 'delivery'
    RETURNING b.booked_at INTO taken_at;

    IF for_order <> 0 THEN
        UPDATE order_stops s SET window_source = 'booking',
            earliest = CASE s.kind WHEN 'pickup' THEN pickup_from ELSE delivery_from END,
            latest = CASE s.kind WHEN 'pickup' THEN pickup_to ELSE delivery_to END
        WHERE s.org_id = org AND s.order_id = for_order;
    END IF;

    INSERT INTO events (org_id, kind, subject_type, subject_id, order_id, draft_id, external_id)
    VALUES (org, CASE WHEN for_order <> 0 THEN 'order.booked' ELSE 'draft.booked' END,
        CASE WHEN for_order <> 0 THEN 'order' ELSE 'draft' END, for_order + for_draft, nullif(for_order, 0), nullif(for_draft, 0),
        nullif(called, ''));

    -- Last, because of those who wait.
    INSERT INTO schedule_interval_days AS d (org_id, interval_id, day, booked)
    SELECT i.org_id, i.id, on_day, 1 FROM schedule_intervals i WHERE i.org_id = org AND i.id = of_interval AND i.is_active
    ON CONFLICT (org_id, interval_id, day) DO UPDATE SET booked = d.booked + 1
    WHERE d.booked < (SELECT i.slots FROM schedule_intervals i WHERE i.org_id = d.org_id AND i.id = d.interval_id)
    RETURNING d.booked INTO taken;
    full_already := NOT FOUND;
    -- Behind the lock of the counter, so that nobody's hold is overlooked, and a hold
    -- is of use to one only.
    IF hold <> 0 THEN
        DELETE FROM schedule_holds h WHERE h.org_id = org AND h.id = hold AND h.interval_id = of_interval AND h.day = on_day
            AND h.ends_at > clock_timestamp();
        IF NOT FOUND THEN
            RAISE EXCEPTION 'the hold has ended' USING ERRCODE = 'WB003';
        END IF;
    END IF;
    SELECT i.slots INTO seats FROM schedule_intervals i WHERE i.org_id = org AND i.id = of_interval;
    IF full_already OR taken + seats_held(org, of_interval, on_day) > seats THEN
        RAISE EXCEPTION 'no seat is left' USING ERRCODE = 'WB002';
    END IF;
END
$$;

CREATE FUNCTION text_of_order(org bigint, sought bigint) RETURNS text
    LANGUAGE sql STABLE
    AS $$
    SELECT ' ' || concat_ws(' ',
        (SELECT string_agg(concat_ws(' ', fold_text(n.number), compact_text(n.number)), ' ' ORDER BY n.number)
            FROM order_numbers n WHERE n.org_id = org AND n.order_id = sought),
        (SELECT string_agg(fold_text(concat_ws(' ', s.name, s.address1, s.postal_code, s.city)), ' ' ORDER BY s.id)
            FROM order_stops s WHERE s.org_id = org AND s.order_id = sought),
        (SELECT string_agg(concat_ws(' ', fold_text(concat_ws(' ', c.first_name, c.last_name)), compact_text(c.phone_number)),
                ' ' ORDER BY c.id)
            FROM order_stops s JOIN stop_contacts c ON c.org_id = s.org_id AND c.stop_id = s.id
            WHERE s.org_id = org AND s.order_id = sought)) || ' '
$$;

CREATE FUNCTION unknown_addresses(org bigint, order_id bigint, reasons jsonb) RETURNS jsonb
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$
    SELECT CASE WHEN reasons @> '[{"code": "NO_COORDINATES"}]' THEN (
        SELECT jsonb_agg(jsonb_build_object('stop', upper(s.kind), 'position', stop_position(s), 'address',
            concat_ws(', ', nullif(s.address1, ''), nullif(concat_ws(' ', s.postal_code, s.city), ''))) ORDER BY s.kind DESC)
        FROM order_stops s
        WHERE s.org_id = org AND s.order_id = unknown_addresses.order_id AND stop_position(s) ->> 'latitude' IS NULL
    ) END
$$;

CREATE FUNCTION unreferenced_files(keys text[]) RETURNS SETOF text
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $_$
BEGIN
    RETURN QUERY SELECT k.key FROM (
        SELECT x.key, split_part(x.key, '/', 1)::bigint AS org, split_part(x.key, '/', 2) AS kind, split_part(x.key, '/', 3) AS name
        FROM unnest(keys) AS x (key)
        WHERE x.key ~ '^\d{1,18}/((documents/\d{1,18}|pictures/[0-9a-f]{64})/[A-Z2-7]+|archives/\d{4}-\d{2}/[A-Z2-7]+\.jsonl\.gz)$'
        OFFSET 0
    ) k
    WHERE NOT CASE k.kind WHEN 'documents' THEN EXISTS (
            SELECT FROM documents d WHERE d.org_id = k.org AND d.id = k.name::bigint AND d.storage_key = k.key)
        WHEN 'archives' THEN EXISTS (
            SELECT FROM order_archives a WHERE a.org_id = k.org AND a.month = (k.name || '-01')::date AND a.storage_key = k.key)
        ELSE EXISTS (
            SELECT FROM proof_pictures p WHERE p.org_id = k.org AND p.sha256 = decode(k.name, 'hex') AND p.storage_key = k.key)
        END;
END
$_$;

CREATE FUNCTION uses_of_master_data(org bigint, kind text, record bigint) RETURNS bigint
    LANGUAGE sql STABLE
    AS $$
    SELECT CASE uses_of_master_data.kind
    WHEN 'department' THEN
        (SELECT count(*) FROM customers c WHERE c.org_id = org AND c.department_id = record AND c.is_active)
        + (SELECT count(*) FROM drivers d WHERE d.org_id = org AND d.department_id = record AND d.is_active)
    WHEN 'vehicle_type' THEN
        (SELECT count(*) FROM vehicles v WHERE v.org_id = org AND v.vehicle_type_id = record AND v.is_active)
    WHEN 'vehicle' THEN
        (SELECT count(*) FROM drivers d WHERE d.org_id = org AND d.vehicle_id = record AND d.is_active)
        + (SELECT count(*) FROM plan_routes r JOIN plans p ON p.org_id = r.org_id AND p.id = r.plan_id
            WHERE r.org_id = org AND r.vehicle_id = record AND p.day >= current_date)
    WHEN 'zone' THEN
        (SELECT count(*) FROM schedule_intervals i WHERE i.org_id = org AND i.is_active AND EXISTS (
            SELECT FROM schedule_interval_zones z
            WHERE z.org_id = org AND z.interval_id = i.id AND record IN (z.from_zone_id, z.to_zone_id)))
        + (SELECT count(*) FROM price_lists l WHERE l.org_id = org AND l.is_active AND EXISTS (
            SELECT FROM price_list_lines p
            WHERE p.org_id = org AND p.price_list_id = l.id AND record IN (p.from_zone_id, p.to_zone_id)))
    WHEN 'freight_level' THEN
        (SELECT count(*) FROM schedule_intervals i WHERE i.org_id = org AND i.is_active AND EXISTS (
            SELECT FROM schedule_interval_freight_levels f
            WHERE f.org_id = org AND f.interval_id = i.id AND f.freight_level_id = record))
        + (SELECT count(*) FROM price_lists l WHERE l.org_id = org AND l.is_active AND EXISTS (
            SELECT FROM price_list_lines p
            WHERE p.org_id = org AND p.price_list_id = l.id AND p.freight_level_id = record))
    WHEN 'calendar' THEN
        (SELECT count(*) FROM departments d WHERE d.org_id = org AND d.calendar_id = record AND d.is_active)
        + (SELECT count(*) FROM customers c WHERE c.org_id = org AND c.calendar_id = record AND c.is_active)
        + (SELECT count(*) FROM locations l WHERE l.org_id = org AND l.calendar_id = record AND l.deleted_at IS NULL)
    ELSE 0 END
$$;

COMMENT ON FUNCTION uses_of_master_data(org bigint, kind text, record bigint) IS 'How many active records refer to one.';

CREATE FUNCTION vehicle_loads(own jsonb, of_type jsonb) RETURNS jsonb
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$
    SELECT coalesce(own, '[]') || coalesce(jsonb_agg(t.value ORDER BY t.ordinality), '[]')
    FROM jsonb_array_elements(coalesce(of_type, '[]')) WITH ORDINALITY t
    WHERE NOT coalesce(own, '[]') @> jsonb_build_array(jsonb_build_object('dimension', t.value->'dimension'))
$$;

CREATE TABLE vehicle_types (
    org_id bigint NOT NULL,
    id bigint NOT NULL,
    name text NOT NULL,
    max_weight_kg numeric,
    max_volume_m3 numeric,
    is_active boolean DEFAULT true NOT NULL,
    max_route_km numeric,
    travels_as text DEFAULT 'CAR'::text NOT NULL,
    source text DEFAULT source_of_caller() NOT NULL,
    height_m numeric,
    width_m numeric,
    length_m numeric,
    gross_weight_kg numeric,
    axle_load_kg numeric,
    top_speed_kmh numeric,
    hazardous_goods boolean DEFAULT false NOT NULL,
    avoids_ferries boolean DEFAULT false NOT NULL,
    avoids_tolls boolean DEFAULT false NOT NULL,
    max_stops integer,
    max_driving_minutes integer,
    driving_rule text,
    max_loads jsonb,
    cost_per_shift numeric,
    cost_per_hour numeric,
    cost_per_km numeric,
    extra_setup_seconds integer DEFAULT 0 NOT NULL,
    CONSTRAINT vehicle_types_axle_load_kg_check CHECK ((axle_load_kg > (0)::numeric)),
    CONSTRAINT vehicle_types_extra_setup_seconds_check CHECK (((extra_setup_seconds >= 0) AND (extra_setup_seconds <= 3600))),
    CONSTRAINT vehicle_types_gross_weight_kg_check CHECK ((gross_weight_kg > (0)::numeric)),
    CONSTRAINT vehicle_types_height_m_check CHECK ((height_m > (0)::numeric)),
    CONSTRAINT vehicle_types_length_m_check CHECK ((length_m > (0)::numeric)),
    CONSTRAINT vehicle_types_max_driving_minutes_check CHECK (((max_driving_minutes >= 1) AND (max_driving_minutes <= 1440))),
    CONSTRAINT vehicle_types_max_route_km_check CHECK ((max_route_km > (0)::numeric)),
    CONSTRAINT vehicle_types_max_stops_check CHECK (((max_stops >= 1) AND (max_stops <= 1000))),
    CONSTRAINT vehicle_types_source_check CHECK ((source = ANY (ARRAY['document'::text, 'console'::text, 'api'::text, 'import'::text]))),
    CONSTRAINT vehicle_types_top_speed_kmh_check CHECK ((top_speed_kmh > (0)::numeric)),
    CONSTRAINT vehicle_types_travels_as_check CHECK ((travels_as = ANY (ARRAY['CAR'::text, 'TRUCK'::text, 'BIKE'::text]))),
    CONSTRAINT vehicle_types_width_m_check CHECK ((width_m > (0)::numeric))
);

CREATE FUNCTION vehicle_profile(t vehicle_types) RETURNS text
    LANGUAGE sql IMMUTABLE
    AS $$
    SELECT CASE WHEN t.travels_as = 'BIKE' OR k.class = '' THEN t.travels_as ELSE lower(t.travels_as) || k.class END
    FROM (SELECT concat(
        '-h' || ceil(t.height_m * 100 - 0.000001), '-w' || ceil(t.width_m * 100 - 0.000001),
        '-l' || ceil(t.length_m * 100 - 0.000001), '-t' || ceil(t.gross_weight_kg - 0.000001),
        '-a' || ceil(t.axle_load_kg - 0.000001), '-v' || floor(t.top_speed_kmh),
        CASE WHEN t.hazardous_goods THEN '-hazmat' END, CASE WHEN t.avoids_ferries THEN '-noferry' END,
        CASE WHEN t.avoids_tolls THEN '-notoll' END) AS class) k
$$;

CREATE FUNCTION ways_of_plan(org bigint, plan bigint, drivers bigint[]) RETURNS TABLE(driver_id bigint, seq integer, polyline text, seconds integer, meters integer)
    LANGUAGE sql STABLE
    AS $$
    SELECT l.driver_id, l.seq, w.polyline, w.seconds, w.meters
    FROM legs_of_plan(org, plan, drivers) l
    LEFT JOIN travel_ways w ON w.org_id = org AND w.provider = l.provider AND w.profile = l.profile
        AND w.from_place = l.from_place AND w.to_place = l.to_place AND w.found_at > now() - interval '30 days'
$$;

CREATE FUNCTION without_people(doc jsonb) RETURNS jsonb
    LANGUAGE plpgsql IMMUTABLE
    AS $$
BEGIN
    CASE jsonb_typeof(doc)
    WHEN 'array' THEN
        RETURN (SELECT coalesce(jsonb_agg(without_people(e.value) ORDER BY e.n), '[]')
            FROM jsonb_array_elements(doc) WITH ORDINALITY AS e (value, n));
    WHEN 'object' THEN
        RETURN (SELECT coalesce(jsonb_object_agg(m.key, CASE
                WHEN jsonb_typeof(m.value) IN ('object', 'array') AND k.name <> 'contacts' THEN without_people(m.value)
                WHEN jsonb_typeof(m.value) = 'array' THEN '[]'
                WHEN jsonb_typeof(m.value) = 'string' AND m.value <> '""' AND (k.name IN ('firstname', 'lastname', 'phonenumber',
                        'phone', 'emailaddress', 'email', 'signee', 'signeename', 'signedby', 'address1', 'address2', 'addressline1',
                        'addressline2', 'instructions', 'customerinstructions', 'parkinginstructions', 'comment', 'note')
                    OR k.name = 'name' AND o.is_place) THEN '"[erased]"'
                WHEN jsonb_typeof(m.value) = 'number' AND k.name IN ('latitude', 'longitude') THEN 'null'
                ELSE m.value END), '{}')
            FROM jsonb_each(doc) m
            CROSS JOIN LATERAL (SELECT replace(lower(m.key), '_', '') AS name) k
            CROSS JOIN (SELECT bool_or(replace(lower(x.key), '_', '') IN ('address1', 'addressline1', 'postalcode', 'city',
                    'contact', 'contacts')) AS is_place
                FROM jsonb_each(doc) x) o);
    ELSE
        RETURN doc;
    END CASE;
END
$$;

CREATE FUNCTION without_people(body text) RETURNS text
    LANGUAGE plpgsql IMMUTABLE
    AS $$
BEGIN
    RETURN CASE WHEN body IS NULL OR body = '' THEN body ELSE without_people(body::jsonb)::text END;
EXCEPTION WHEN data_exception THEN
    RETURN '';
END
$$;

CREATE FUNCTION word_patterns(term text) RETURNS text[]
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN ARRAY(SELECT CASE WHEN (length(w.w) < 3) THEN (('% '::text || w.w) || '%'::text) ELSE (('%'::text || w.w) || '%'::text) END AS "case" FROM unnest(string_to_array(fold_text(word_patterns.term), ' '::text)) w(w));

CREATE FUNCTION write_order_texts(org bigint, sought bigint[]) RETURNS void
    LANGUAGE sql
    AS $$
    INSERT INTO order_texts (org_id, order_id, text)
    SELECT org, w.order_id, text_of_order(org, w.order_id)
    FROM (SELECT DISTINCT x AS order_id FROM unnest(sought) x) w
    WHERE EXISTS (SELECT FROM orders o WHERE o.org_id = org AND o.id = w.order_id)
    ORDER BY 2
    ON CONFLICT (org_id, order_id) DO UPDATE SET text = excluded.text WHERE order_texts.text <> excluded.text
$$;

CREATE TABLE account_codes (
    org_id bigint NOT NULL,
    id bigint NOT NULL,
    purpose text NOT NULL,
    public_part text NOT NULL,
    hash bytea NOT NULL,
    user_id bigint,
    driver_id bigint,
    tries_left smallint DEFAULT 1 NOT NULL,
    created_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    used_at timestamp with time zone,
    CONSTRAINT account_codes_owner_check CHECK ((((user_id IS NULL) = (purpose = ANY (ARRAY['enrolment'::text, 'phone'::text]))) AND ((driver_id IS NULL) = (purpose = ANY (ARRAY['invitation'::text, 'reset'::text]))))),
    CONSTRAINT account_codes_purpose_check CHECK ((purpose = ANY (ARRAY['invitation'::text, 'reset'::text, 'enrolment'::text, 'phone'::text])))
);

ALTER TABLE account_codes ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME account_codes_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE address_points (
    street_id bigint NOT NULL,
    latitude double precision NOT NULL,
    longitude double precision NOT NULL,
    number integer NOT NULL,
    guessed boolean NOT NULL,
    letter text NOT NULL COLLATE pg_catalog."C"
);

CREATE TABLE alert_rules (
    org_id bigint NOT NULL,
    id bigint NOT NULL,
    department_id bigint,
    kind text NOT NULL,
    minutes bigint,
    exception_kind text,
    channels text[] NOT NULL,
    emails text[] DEFAULT '{}'::text[] NOT NULL,
    is_active boolean DEFAULT true NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT alert_rules_exception_check CHECK (((kind = 'EXCEPTION'::text) = (exception_kind IS NOT NULL))),
    CONSTRAINT alert_rules_kind_check CHECK ((kind = ANY (ARRAY['LATE_BY'::text, 'SILENT_FOR'::text, 'FAILED'::text, 'UNPLANNED'::text, 'EXCEPTION'::text]))),
    CONSTRAINT alert_rules_minutes_check CHECK (((minutes >= 1) AND (minutes <= 720))),
    CONSTRAINT alert_rules_threshold_check CHECK (((kind = ANY (ARRAY['LATE_BY'::text, 'SILENT_FOR'::text])) = (minutes IS NOT NULL)))
);

ALTER TABLE alert_rules ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME alert_rules_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE alerts (
    org_id bigint NOT NULL,
    id bigint NOT NULL,
    rule_id bigint NOT NULL,
    kind text NOT NULL,
    channels text[] NOT NULL,
    emails text[] DEFAULT '{}'::text[] NOT NULL,
    day date NOT NULL,
    driver_id bigint,
    order_id bigint,
    stop text,
    exception_id bigint,
    minutes bigint,
    at timestamp with time zone NOT NULL,
    raised_at timestamp with time zone DEFAULT now() NOT NULL,
    snoozed_until timestamp with time zone,
    acknowledged_at timestamp with time zone,
    handled_by text,
    note text,
    resolved_at timestamp with time zone,
    CONSTRAINT alerts_stop_check CHECK ((stop = ANY (ARRAY['pickup'::text, 'delivery'::text])))
);

ALTER TABLE alerts ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME alerts_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE api_keys (
    org_id bigint NOT NULL,
    id bigint NOT NULL,
    name text NOT NULL,
    public_part text NOT NULL,
    hash bytea NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    expires_at timestamp with time zone,
    revoked_at timestamp with time zone,
    last_used_at timestamp with time zone,
    personal_data text[],
    CONSTRAINT api_keys_personal_data_check CHECK ((personal_data <@ '{CONTACTS,PROOFS,POSITIONS}'::text[]))
);

ALTER TABLE api_keys ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME api_keys_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE archived_proofs (
    org_id bigint NOT NULL,
    seq bigint NOT NULL,
    hash bytea NOT NULL,
    archived_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE freight_levels (
    org_id bigint NOT NULL,
    id bigint NOT NULL,
    name text NOT NULL,
    seq integer NOT NULL,
    max_weight_kg numeric,
    max_volume_m3 numeric,
    max_colli integer,
    is_active boolean DEFAULT true NOT NULL,
    source text DEFAULT source_of_caller() NOT NULL,
    CONSTRAINT freight_levels_source_check CHECK ((source = ANY (ARRAY['document'::text, 'console'::text, 'api'::text, 'import'::text])))
);

CREATE TABLE order_types (
    org_id bigint NOT NULL,
    id bigint NOT NULL,
    name text NOT NULL,
    priority integer DEFAULT 0 NOT NULL,
    ready_from smallint,
    pick_up_before smallint,
    deliver_before smallint,
    min_book_ahead_minutes integer,
    max_book_ahead_minutes integer,
    export_carrier text,
    is_active boolean DEFAULT true NOT NULL,
    source text DEFAULT source_of_caller() NOT NULL,
    proof jsonb,
    proof_since timestamp with time zone,
    service_time jsonb,
    CONSTRAINT order_types_deliver_before_check CHECK (((deliver_before >= 0) AND (deliver_before <= 1440))),
    CONSTRAINT order_types_pick_up_before_check CHECK (((pick_up_before >= 0) AND (pick_up_before <= 1440))),
    CONSTRAINT order_types_proof_check CHECK ((jsonb_typeof(proof) = 'object'::text)),
    CONSTRAINT order_types_ready_from_check CHECK (((ready_from >= 0) AND (ready_from <= 1440))),
    CONSTRAINT order_types_source_check CHECK ((source = ANY (ARRAY['document'::text, 'console'::text, 'api'::text, 'import'::text])))
);

CREATE TABLE schedule_interval_freight_levels (
    org_id bigint NOT NULL,
    interval_id bigint NOT NULL,
    freight_level_id bigint NOT NULL
);

CREATE TABLE schedule_interval_order_types (
    org_id bigint NOT NULL,
    interval_id bigint NOT NULL,
    order_type_id bigint NOT NULL
);

CREATE TABLE schedule_interval_zones (
    org_id bigint NOT NULL,
    interval_id bigint NOT NULL,
    from_zone_id bigint NOT NULL,
    to_zone_id bigint NOT NULL
);

CREATE TABLE schedule_intervals (
    org_id bigint NOT NULL,
    id bigint NOT NULL,
    name text NOT NULL,
    rrule text,
    day date,
    pickup_earliest smallint NOT NULL,
    pickup_latest smallint NOT NULL,
    delivery_earliest smallint NOT NULL,
    delivery_latest smallint NOT NULL,
    slots integer NOT NULL,
    is_active boolean DEFAULT true NOT NULL,
    source text DEFAULT source_of_caller() NOT NULL,
    CONSTRAINT schedule_intervals_days_check CHECK (((rrule IS NULL) <> (day IS NULL))),
    CONSTRAINT schedule_intervals_delivery_earliest_check CHECK (((delivery_earliest >= 0) AND (delivery_earliest <= 1440))),
    CONSTRAINT schedule_intervals_delivery_latest_check CHECK (((delivery_latest >= 0) AND (delivery_latest <= 1440))),
    CONSTRAINT schedule_intervals_pickup_earliest_check CHECK (((pickup_earliest >= 0) AND (pickup_earliest <= 1440))),
    CONSTRAINT schedule_intervals_pickup_latest_check CHECK (((pickup_latest >= 0) AND (pickup_latest <= 1440))),
    CONSTRAINT schedule_intervals_slots_check CHECK ((slots > 0)),
    CONSTRAINT schedule_intervals_source_check CHECK ((source = ANY (ARRAY['document'::text, 'console'::text, 'api'::text, 'import'::text])))
);

CREATE TABLE zones (
    org_id bigint NOT NULL,
    id bigint NOT NULL,
    name text NOT NULL,
    areas jsonb NOT NULL,
    is_active boolean DEFAULT true NOT NULL,
    source text DEFAULT source_of_caller() NOT NULL,
    CONSTRAINT zones_source_check CHECK ((source = ANY (ARRAY['document'::text, 'console'::text, 'api'::text, 'import'::text])))
);

CREATE VIEW bookable_intervals WITH (security_invoker='true') AS
 SELECT i.org_id,
    i.id,
    i.rrule,
    i.day,
    i.pickup_earliest,
    i.pickup_latest,
    i.delivery_earliest,
    i.delivery_latest,
    i.slots,
    ( SELECT jsonb_agg(jsonb_build_object('id', t.id, 'name', t.name) ORDER BY t.id) AS jsonb_agg
           FROM (schedule_interval_order_types x
             JOIN order_types t ON (((t.org_id = x.org_id) AND (t.id = x.order_type_id))))
          WHERE ((x.org_id = i.org_id) AND (x.interval_id = i.id))) AS order_types,
    ( SELECT jsonb_agg(jsonb_build_object('from', jsonb_build_object('id', f.id, 'name', f.name), 'to', jsonb_build_object('id', t.id, 'name', t.name)) ORDER BY f.id, t.id) AS jsonb_agg
           FROM ((schedule_interval_zones x
             JOIN zones f ON (((f.org_id = x.org_id) AND (f.id = x.from_zone_id))))
             JOIN zones t ON (((t.org_id = x.org_id) AND (t.id = x.to_zone_id))))
          WHERE ((x.org_id = i.org_id) AND (x.interval_id = i.id))) AS from_to_zones,
    ( SELECT jsonb_agg(jsonb_build_object('id', l.id, 'name', l.name) ORDER BY l.seq, l.id) AS jsonb_agg
           FROM (schedule_interval_freight_levels x
             JOIN freight_levels l ON (((l.org_id = x.org_id) AND (l.id = x.freight_level_id))))
          WHERE ((x.org_id = i.org_id) AND (x.interval_id = i.id))) AS freight_levels
   FROM schedule_intervals i
  WHERE i.is_active;

CREATE TABLE bookings (
    org_id bigint NOT NULL,
    id bigint NOT NULL,
    order_id bigint,
    draft_id bigint,
    interval_id bigint NOT NULL,
    day date NOT NULL,
    booked_at timestamp with time zone DEFAULT now() NOT NULL,
    pickup_earliest timestamp with time zone NOT NULL,
    pickup_latest timestamp with time zone NOT NULL,
    delivery_earliest timestamp with time zone NOT NULL,
    delivery_latest timestamp with time zone NOT NULL,
    own_pickup_earliest timestamp with time zone,
    own_pickup_latest timestamp with time zone,
    own_pickup_source text,
    own_delivery_earliest timestamp with time zone,
    own_delivery_latest timestamp with time zone,
    own_delivery_source text,
    CONSTRAINT bookings_subject_check CHECK (((order_id IS NULL) <> (draft_id IS NULL)))
);
ALTER TABLE ONLY bookings ALTER COLUMN org_id SET STATISTICS 0;

ALTER TABLE bookings ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME bookings_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE calendars (
    org_id bigint NOT NULL,
    id bigint NOT NULL,
    name text NOT NULL,
    closed jsonb DEFAULT '[]'::jsonb NOT NULL,
    is_active boolean DEFAULT true NOT NULL,
    source text DEFAULT source_of_caller() NOT NULL,
    CONSTRAINT calendars_source_check CHECK ((source = ANY (ARRAY['document'::text, 'console'::text, 'api'::text, 'import'::text])))
);

ALTER TABLE calendars ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME calendars_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE cargo_carrier_accounts (
    org_id bigint NOT NULL,
    id bigint NOT NULL,
    cargo_carrier_id bigint NOT NULL,
    customer_id bigint,
    location_id bigint,
    balance bigint NOT NULL,
    CONSTRAINT cargo_carrier_accounts_party_check CHECK (((customer_id IS NULL) <> (location_id IS NULL)))
)
WITH (fillfactor='70');

ALTER TABLE cargo_carrier_accounts ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME cargo_carrier_accounts_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE cargo_carrier_movements (
    org_id bigint NOT NULL,
    id bigint NOT NULL,
    account_id bigint NOT NULL,
    quantity integer NOT NULL,
    balance bigint NOT NULL,
    occurred_at timestamp with time zone NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    order_id bigint,
    driver_id bigint,
    signee text,
    comment text,
    reverses bigint,
    action_id uuid,
    CONSTRAINT cargo_carrier_movements_quantity_check CHECK ((quantity <> 0))
);

ALTER TABLE cargo_carrier_movements ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME cargo_carrier_movements_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE cargo_carriers (
    org_id bigint NOT NULL,
    id bigint NOT NULL,
    code text NOT NULL,
    name text NOT NULL,
    unit_value numeric,
    is_active boolean DEFAULT true NOT NULL
);

ALTER TABLE cargo_carriers ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME cargo_carriers_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE carriers (
    org_id bigint NOT NULL,
    name text NOT NULL,
    secret_env text NOT NULL,
    source text DEFAULT source_of_caller() NOT NULL,
    CONSTRAINT carriers_source_check CHECK ((source = ANY (ARRAY['document'::text, 'console'::text, 'api'::text, 'import'::text])))
);

CREATE TABLE completion_proof_images (
    org_id bigint NOT NULL,
    proof_id bigint NOT NULL,
    seq integer NOT NULL,
    storage_key text,
    sha256 bytea,
    CONSTRAINT completion_proof_images_source_check CHECK (((storage_key IS NOT NULL) OR (sha256 IS NOT NULL)))
);

CREATE TABLE completion_proofs (
    org_id bigint NOT NULL,
    id bigint NOT NULL,
    order_id bigint NOT NULL,
    type text NOT NULL,
    signature_key text,
    signee text,
    comment text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    action_id uuid,
    signature_sha256 bytea,
    counts boolean DEFAULT true NOT NULL,
    occurred_at timestamp with time zone,
    latitude double precision,
    longitude double precision,
    accuracy_meters double precision,
    distance_meters double precision,
    seq bigint,
    manifest text,
    hash bytea,
    scans jsonb,
    erased_at timestamp with time zone,
    CONSTRAINT completion_proofs_chain_check CHECK ((((seq IS NULL) = (manifest IS NULL)) AND ((seq IS NULL) = (hash IS NULL)))),
    CONSTRAINT completion_proofs_type_check CHECK ((type = ANY (ARRAY['IN_PERSON'::text, 'CONTACTLESS'::text])))
);

ALTER TABLE completion_proofs ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME completion_proofs_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE custom_field_definitions (
    org_id bigint NOT NULL,
    id bigint NOT NULL,
    external_id text NOT NULL,
    label text NOT NULL,
    title text NOT NULL,
    description text,
    icon text,
    color_background text,
    color_text text,
    sort_order_batch text DEFAULT 'num'::text NOT NULL,
    display_on text DEFAULT 'current'::text NOT NULL,
    display_style text DEFAULT 'badge'::text NOT NULL,
    is_active boolean DEFAULT true NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    was_used boolean DEFAULT false NOT NULL,
    source text DEFAULT source_of_caller() NOT NULL,
    CONSTRAINT custom_field_definitions_on_check CHECK ((display_on = ANY (ARRAY['current'::text, 'opposite'::text, 'both'::text, 'pickup'::text, 'delivery'::text]))),
    CONSTRAINT custom_field_definitions_sort_check CHECK ((sort_order_batch = ANY (ARRAY['char'::text, 'load'::text, 'drive'::text, 'num'::text]))),
    CONSTRAINT custom_field_definitions_source_check CHECK ((source = ANY (ARRAY['document'::text, 'console'::text, 'api'::text, 'import'::text]))),
    CONSTRAINT custom_field_definitions_style_check CHECK ((display_style = ANY (ARRAY['badge'::text, 'card'::text, 'registration'::text, 'popup'::text])))
);

ALTER TABLE custom_field_definitions ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME custom_field_definitions_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE custom_field_values (
    org_id bigint NOT NULL,
    order_id bigint NOT NULL,
    definition_id bigint NOT NULL,
    value jsonb NOT NULL,
    stop text,
    CONSTRAINT custom_field_values_stop_check CHECK ((stop = ANY (ARRAY['pickup'::text, 'delivery'::text])))
);
ALTER TABLE ONLY custom_field_values ALTER COLUMN org_id SET STATISTICS 0;

COMMENT ON COLUMN custom_field_values.stop IS 'Where it is set; null for the order as a whole.';

CREATE TABLE customer_prohibited_drivers (
    org_id bigint NOT NULL,
    customer_id bigint NOT NULL,
    driver_id bigint NOT NULL
);

CREATE TABLE customers (
    org_id bigint NOT NULL,
    id bigint NOT NULL,
    external_id text,
    business_name text NOT NULL,
    department_id bigint,
    is_active boolean DEFAULT true NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    email_address text,
    phone_number text,
    source text DEFAULT source_of_caller() NOT NULL,
    calendar_id bigint,
    CONSTRAINT customers_source_check CHECK ((source = ANY (ARRAY['document'::text, 'console'::text, 'api'::text, 'import'::text])))
);

ALTER TABLE customers ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME customers_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE delivery_promises (
    org_id bigint NOT NULL,
    order_id bigint NOT NULL,
    kind text NOT NULL,
    promised_from timestamp with time zone NOT NULL,
    promised_to timestamp with time zone NOT NULL,
    promised_at timestamp with time zone DEFAULT now() NOT NULL,
    told_from timestamp with time zone NOT NULL,
    told_to timestamp with time zone NOT NULL,
    told_at timestamp with time zone DEFAULT now() NOT NULL,
    moves bigint DEFAULT 0 NOT NULL,
    chosen bigint DEFAULT 0 NOT NULL,
    CONSTRAINT delivery_promises_kind_check CHECK ((kind = ANY (ARRAY['pickup'::text, 'delivery'::text])))
);

CREATE TABLE departments (
    org_id bigint NOT NULL,
    id bigint NOT NULL,
    name text NOT NULL,
    source text DEFAULT source_of_caller() NOT NULL,
    is_active boolean DEFAULT true NOT NULL,
    loading_minutes integer,
    release_minute smallint,
    release_days_before smallint DEFAULT 1 NOT NULL,
    release_threshold_minutes smallint DEFAULT 10 NOT NULL,
    calendar_id bigint,
    CONSTRAINT departments_loading_minutes_check CHECK (((loading_minutes >= '-1'::integer) AND (loading_minutes <= 1440))),
    CONSTRAINT departments_release_days_before_check CHECK (((release_days_before >= 0) AND (release_days_before <= 14))),
    CONSTRAINT departments_release_minute_check CHECK (((release_minute >= 0) AND (release_minute <= 1439))),
    CONSTRAINT departments_release_threshold_minutes_check CHECK (((release_threshold_minutes >= 0) AND (release_threshold_minutes <= 1440))),
    CONSTRAINT departments_source_check CHECK ((source = ANY (ARRAY['document'::text, 'console'::text, 'api'::text, 'import'::text])))
);

ALTER TABLE departments ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME departments_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE documents (
    org_id bigint NOT NULL,
    id bigint NOT NULL,
    name text NOT NULL,
    content_type text NOT NULL,
    size bigint NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    uploaded_at timestamp with time zone,
    storage_key text,
    sha256 bytea,
    loose_since timestamp with time zone DEFAULT now(),
    CONSTRAINT documents_size_check CHECK ((size > 0)),
    CONSTRAINT documents_uploaded_check CHECK ((((uploaded_at IS NULL) = (storage_key IS NULL)) AND ((uploaded_at IS NULL) = (sha256 IS NULL))))
);

ALTER TABLE documents ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME documents_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE draft_documents (
    org_id bigint NOT NULL,
    draft_id bigint NOT NULL,
    document_id bigint NOT NULL,
    attached_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE drafts (
    org_id bigint NOT NULL,
    id bigint NOT NULL,
    external_id text,
    state text DEFAULT 'incomplete'::text NOT NULL,
    request jsonb NOT NULL,
    defaults jsonb DEFAULT '{}'::jsonb NOT NULL,
    reasons jsonb DEFAULT '[]'::jsonb NOT NULL,
    order_id bigint,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    receipt bigint,
    people_erased_at timestamp with time zone,
    CONSTRAINT drafts_promoted_check CHECK (((state = 'promoted'::text) = (order_id IS NOT NULL))),
    CONSTRAINT drafts_state_check CHECK ((state = ANY (ARRAY['incomplete'::text, 'promoted'::text, 'discarded'::text])))
);
ALTER TABLE ONLY drafts ALTER COLUMN org_id SET STATISTICS 0;

ALTER TABLE drafts ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME drafts_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE driven_legs (
    org_id bigint NOT NULL,
    driver_id bigint NOT NULL,
    day date NOT NULL,
    from_at timestamp with time zone NOT NULL,
    until_at timestamp with time zone NOT NULL,
    positions integer NOT NULL,
    ways jsonb NOT NULL,
    meters bigint NOT NULL,
    matched boolean NOT NULL,
    confidence double precision,
    failures integer DEFAULT 0 NOT NULL,
    again_at timestamp with time zone,
    matched_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT driven_legs_confidence_check CHECK (((confidence >= (0)::double precision) AND (confidence <= (1)::double precision))),
    CONSTRAINT driven_legs_failures_check CHECK ((failures >= 0)),
    CONSTRAINT driven_legs_leads_on CHECK ((until_at > from_at)),
    CONSTRAINT driven_legs_meters_check CHECK ((meters >= 0)),
    CONSTRAINT driven_legs_positions_check CHECK ((positions >= 0)),
    CONSTRAINT driven_legs_ways_check CHECK ((jsonb_typeof(ways) = 'array'::text))
);

CREATE TABLE driver_actions (
    org_id bigint NOT NULL,
    id uuid NOT NULL,
    driver_id bigint NOT NULL,
    device_id bigint,
    type text NOT NULL,
    stop_id bigint,
    order_id bigint,
    occurred_at timestamp with time zone NOT NULL,
    device_at timestamp with time zone NOT NULL,
    sent_at timestamp with time zone NOT NULL,
    received_at timestamp with time zone DEFAULT now() NOT NULL,
    undoes uuid,
    latitude double precision,
    longitude double precision,
    accuracy_meters double precision,
    distance_meters double precision,
    reason text,
    comment text,
    data jsonb,
    outcome text NOT NULL,
    outcome_reason text,
    nothing boolean DEFAULT false NOT NULL,
    overridden_by uuid,
    CONSTRAINT driver_actions_outcome_check CHECK ((outcome = ANY (ARRAY['APPLIED'::text, 'RECORDED'::text, 'REJECTED'::text])))
);

CREATE TABLE driver_days (
    org_id bigint NOT NULL,
    driver_id bigint NOT NULL,
    day date NOT NULL,
    started_at timestamp with time zone,
    ended_at timestamp with time zone
);

CREATE TABLE driver_messages (
    org_id bigint NOT NULL,
    id bigint NOT NULL,
    driver_id bigint NOT NULL,
    day date NOT NULL,
    side text NOT NULL,
    author text NOT NULL,
    text text NOT NULL,
    order_id bigint,
    client_id uuid,
    written_at timestamp with time zone NOT NULL,
    sent_at timestamp with time zone DEFAULT now() NOT NULL,
    read_at timestamp with time zone,
    read_by text,
    CONSTRAINT driver_messages_client_check CHECK (((side = 'DRIVER'::text) = (client_id IS NOT NULL))),
    CONSTRAINT driver_messages_side_check CHECK ((side = ANY (ARRAY['OFFICE'::text, 'DRIVER'::text])))
);

ALTER TABLE driver_messages ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME driver_messages_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE driver_positions (
    org_id bigint NOT NULL,
    driver_id bigint NOT NULL,
    at timestamp with time zone NOT NULL,
    latitude double precision NOT NULL,
    longitude double precision NOT NULL,
    accuracy_meters double precision
);

CREATE TABLE driver_skills (
    org_id bigint NOT NULL,
    driver_id bigint NOT NULL,
    skill_id bigint NOT NULL
);

CREATE TABLE driver_whereabouts (
    org_id bigint NOT NULL,
    driver_id bigint NOT NULL,
    on_duty boolean DEFAULT false NOT NULL,
    duty_since timestamp with time zone DEFAULT now() NOT NULL,
    latitude double precision,
    longitude double precision,
    accuracy_meters double precision,
    at timestamp with time zone,
    clock_skew_ms bigint DEFAULT 0 NOT NULL
)
WITH (fillfactor='50');

CREATE TABLE driver_workday_rules (
    org_id bigint NOT NULL,
    driver_id bigint NOT NULL,
    seq smallint NOT NULL,
    rrule text NOT NULL,
    starts smallint NOT NULL,
    ends smallint NOT NULL,
    break_minutes smallint DEFAULT 0 NOT NULL,
    break_earliest smallint DEFAULT 0 NOT NULL,
    break_latest smallint DEFAULT 0 NOT NULL,
    more_breaks jsonb,
    break_location_ids bigint[],
    CONSTRAINT driver_workday_rules_break_earliest_check CHECK (((break_earliest >= 0) AND (break_earliest <= 1440))),
    CONSTRAINT driver_workday_rules_break_latest_check CHECK (((break_latest >= 0) AND (break_latest <= 1440))),
    CONSTRAINT driver_workday_rules_break_minutes_check CHECK (((break_minutes >= 0) AND (break_minutes <= 1440))),
    CONSTRAINT driver_workday_rules_ends_check CHECK (((ends >= 0) AND (ends <= 1440))),
    CONSTRAINT driver_workday_rules_hours_check CHECK ((starts <> ends)),
    CONSTRAINT driver_workday_rules_starts_check CHECK (((starts >= 0) AND (starts <= 1440)))
);

CREATE TABLE driver_workdays (
    org_id bigint NOT NULL,
    driver_id bigint NOT NULL,
    date date NOT NULL,
    starts smallint NOT NULL,
    ends smallint NOT NULL,
    works boolean DEFAULT true NOT NULL,
    break_minutes smallint DEFAULT 0 NOT NULL,
    break_earliest smallint DEFAULT 0 NOT NULL,
    break_latest smallint DEFAULT 0 NOT NULL,
    vehicle_id bigint,
    start_location_id bigint,
    end_location_id bigint,
    max_stops integer,
    max_driving_minutes integer,
    more_breaks jsonb,
    co_driver_id bigint,
    shares_driving boolean DEFAULT false NOT NULL,
    break_location_ids bigint[],
    CONSTRAINT driver_workdays_break_earliest_check CHECK (((break_earliest >= 0) AND (break_earliest <= 1440))),
    CONSTRAINT driver_workdays_break_latest_check CHECK (((break_latest >= 0) AND (break_latest <= 1440))),
    CONSTRAINT driver_workdays_break_minutes_check CHECK (((break_minutes >= 0) AND (break_minutes <= 1440))),
    CONSTRAINT driver_workdays_ends_check CHECK (((ends >= 0) AND (ends <= 1440))),
    CONSTRAINT driver_workdays_hours_check CHECK (((NOT works) OR (starts <> ends))),
    CONSTRAINT driver_workdays_max_driving_minutes_check CHECK (((max_driving_minutes >= 1) AND (max_driving_minutes <= 1440))),
    CONSTRAINT driver_workdays_max_stops_check CHECK (((max_stops >= 1) AND (max_stops <= 1000))),
    CONSTRAINT driver_workdays_starts_check CHECK (((starts >= 0) AND (starts <= 1440)))
);

CREATE TABLE drivers (
    org_id bigint NOT NULL,
    id bigint NOT NULL,
    name text NOT NULL,
    phone_number text,
    is_active boolean DEFAULT true NOT NULL,
    external_id text,
    email_address text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    department_id bigint,
    vehicle_id bigint,
    start_location_id bigint,
    end_location_id bigint,
    source text DEFAULT source_of_caller() NOT NULL,
    preferences jsonb,
    driving_factor double precision,
    visit_factor double precision,
    CONSTRAINT drivers_source_check CHECK ((source = ANY (ARRAY['document'::text, 'console'::text, 'api'::text, 'import'::text])))
);

ALTER TABLE drivers ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME drivers_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE erased_addresses (
    org_id bigint NOT NULL,
    hash bytea NOT NULL,
    objects boolean NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE erasure_keys (
    org_id bigint NOT NULL,
    sealed_key bytea NOT NULL
);

CREATE TABLE erasures (
    org_id bigint NOT NULL,
    id bigint NOT NULL,
    actor text NOT NULL,
    objects boolean NOT NULL,
    started_at timestamp with time zone DEFAULT now() NOT NULL,
    finished_at timestamp with time zone,
    found jsonb DEFAULT '{}'::jsonb NOT NULL
);

ALTER TABLE erasures ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME erasures_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE erp_orders (
    org_id bigint NOT NULL,
    number text NOT NULL,
    order_id bigint NOT NULL,
    own jsonb
);

CREATE TABLE event_cursors (
    follower text NOT NULL,
    shard smallint NOT NULL,
    "position" bigint NOT NULL
)
WITH (fillfactor='50');

CREATE TABLE event_followers (
    name text NOT NULL,
    "position" bigint NOT NULL
);

CREATE TABLE event_sequencer (
    singleton boolean DEFAULT true NOT NULL,
    last_position bigint DEFAULT 0 NOT NULL,
    leader uuid,
    dropped_position bigint DEFAULT 0 NOT NULL,
    swept_id bigint DEFAULT 0 NOT NULL,
    marked_id bigint,
    marked_at timestamp with time zone,
    marked_xid xid8,
    looked_at_all timestamp with time zone DEFAULT '-infinity'::timestamp with time zone NOT NULL,
    CONSTRAINT event_sequencer_singleton_check CHECK (singleton)
);

CREATE TABLE events (
    org_id bigint NOT NULL,
    id bigint NOT NULL,
    "position" bigint,
    kind text NOT NULL,
    subject_type text NOT NULL,
    subject_id bigint NOT NULL,
    actor text DEFAULT NULLIF(current_setting('app.actor'::text, true), ''::text) NOT NULL,
    cause text DEFAULT NULLIF(current_setting('app.cause'::text, true), ''::text) NOT NULL,
    recorded_at timestamp with time zone DEFAULT now() NOT NULL,
    order_id bigint,
    draft_id bigint,
    external_id text,
    order_status_id smallint,
    driver_id bigint,
    stop text,
    notification_id bigint,
    document_id bigint,
    rule text,
    product_ids bigint[],
    removed_product_ids bigint[],
    product_status_id smallint,
    data jsonb,
    occurred_at timestamp with time zone DEFAULT now(),
    trace text DEFAULT NULLIF(current_setting('app.trace'::text, true), ''::text)
)
PARTITION BY RANGE (recorded_at);

CREATE SEQUENCE events_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE events_id_seq OWNED BY events.id;

CREATE TABLE events_default (
    org_id bigint NOT NULL,
    id bigint DEFAULT nextval('events_id_seq'::regclass) NOT NULL,
    "position" bigint,
    kind text NOT NULL,
    subject_type text NOT NULL,
    subject_id bigint NOT NULL,
    actor text DEFAULT NULLIF(current_setting('app.actor'::text, true), ''::text) NOT NULL,
    cause text DEFAULT NULLIF(current_setting('app.cause'::text, true), ''::text) NOT NULL,
    recorded_at timestamp with time zone DEFAULT now() NOT NULL,
    order_id bigint,
    draft_id bigint,
    external_id text,
    order_status_id smallint,
    driver_id bigint,
    stop text,
    notification_id bigint,
    document_id bigint,
    rule text,
    product_ids bigint[],
    removed_product_ids bigint[],
    product_status_id smallint,
    data jsonb,
    occurred_at timestamp with time zone DEFAULT now(),
    trace text DEFAULT NULLIF(current_setting('app.trace'::text, true), ''::text)
)
WITH (fillfactor='90');

CREATE TABLE exceptions (
    org_id bigint NOT NULL,
    id bigint NOT NULL,
    kind text NOT NULL,
    day date NOT NULL,
    driver_id bigint NOT NULL,
    order_id bigint,
    stop text,
    action_id uuid,
    at timestamp with time zone NOT NULL,
    opened_at timestamp with time zone DEFAULT now() NOT NULL,
    resolution text,
    resolved_at timestamp with time zone,
    resolved_by text,
    comment text,
    rule text,
    times bigint DEFAULT 1 NOT NULL,
    CONSTRAINT exceptions_kind_check CHECK ((kind = ANY (ARRAY['LATE_STOP'::text, 'SILENT_DRIVER'::text, 'RULE_MISSED'::text, 'DELIVERED_THOUGH_CANCELLED'::text, 'ACTED_THOUGH_CANCELLED'::text, 'NOT_YOURS_ANY_MORE'::text, 'ALREADY_DONE'::text, 'BAD_ORDER_OF_ACTIONS'::text, 'PROOF_MISSING'::text, 'GOODS_MISSING'::text, 'ALL_REFUSED'::text, 'OVERRIDDEN'::text]))),
    CONSTRAINT exceptions_resolution_check CHECK ((resolution = ANY (ARRAY['ACCEPTED'::text, 'DISMISSED'::text, 'OVER'::text]))),
    CONSTRAINT exceptions_resolved_check CHECK ((((resolution IS NULL) = (resolved_at IS NULL)) AND ((resolution IS NULL) = (resolved_by IS NULL)))),
    CONSTRAINT exceptions_stop_check CHECK ((stop = ANY (ARRAY['pickup'::text, 'delivery'::text]))),
    CONSTRAINT exceptions_subject_check CHECK (
CASE kind
    WHEN 'LATE_STOP'::text THEN ((order_id IS NOT NULL) AND (stop IS NOT NULL))
    WHEN 'SILENT_DRIVER'::text THEN (order_id IS NULL)
    WHEN 'RULE_MISSED'::text THEN ((order_id IS NOT NULL) AND (rule IS NOT NULL))
    ELSE (action_id IS NOT NULL)
END),
    CONSTRAINT exceptions_times_check CHECK ((times > 0))
);

ALTER TABLE exceptions ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME exceptions_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE export_acknowledgements (
    org_id bigint NOT NULL,
    id bigint NOT NULL,
    order_id bigint NOT NULL,
    version integer NOT NULL,
    status text NOT NULL,
    failure_reason text,
    carrier_shipment_id text,
    idempotency_key text,
    received_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    applied_at timestamp with time zone,
    counted boolean,
    number smallint,
    state text,
    CONSTRAINT export_acknowledgements_applied_check CHECK (((applied_at IS NULL) = (counted IS NULL))),
    CONSTRAINT export_acknowledgements_status_check CHECK ((status = ANY (ARRAY['EXPORTED'::text, 'FAILED'::text])))
);

ALTER TABLE export_acknowledgements ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME export_acknowledgements_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE order_exports (
    org_id bigint NOT NULL,
    order_id bigint NOT NULL,
    carrier text,
    state text NOT NULL,
    reason text,
    by_hand boolean DEFAULT false NOT NULL,
    reexport boolean DEFAULT false NOT NULL,
    owed boolean DEFAULT false NOT NULL,
    place bigint,
    version integer DEFAULT 0 NOT NULL,
    fetched_version integer DEFAULT 0 NOT NULL,
    exported_version integer DEFAULT 0 NOT NULL,
    fingerprint bytea,
    exported_fingerprint bytea,
    acknowledgements smallint DEFAULT 0 NOT NULL,
    succeeded_at timestamp with time zone,
    closes_at timestamp with time zone,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT order_exports_acknowledgements_check CHECK (((acknowledgements >= 0) AND (acknowledgements <= 5))),
    CONSTRAINT order_exports_place_check CHECK (((state = 'pending'::text) = (place IS NOT NULL))),
    CONSTRAINT order_exports_reason_check CHECK (((state = 'closed'::text) = (reason IS NOT NULL))),
    CONSTRAINT order_exports_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'exported'::text, 'closed'::text])))
)
WITH (fillfactor='80');

CREATE TABLE organizations (
    id bigint NOT NULL,
    slug text NOT NULL,
    name text NOT NULL,
    timezone text NOT NULL,
    language text DEFAULT 'en'::text NOT NULL,
    allow_merge boolean DEFAULT false NOT NULL,
    reexport boolean DEFAULT false NOT NULL,
    reexport_since timestamp with time zone,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    rules_version bigint DEFAULT 0 NOT NULL,
    carrier_moves_status boolean DEFAULT true NOT NULL,
    approaching_minutes smallint DEFAULT 30 NOT NULL,
    sandbox boolean DEFAULT false NOT NULL,
    workflow_name text NOT NULL,
    sscc_prefix text,
    office_phone text,
    proof jsonb,
    proof_since timestamp with time zone,
    closed_at timestamp with time zone,
    keep_orders_days integer,
    suspended_at timestamp with time zone,
    keep_people_days bigint DEFAULT 400 NOT NULL,
    keep_proofs_days bigint DEFAULT 1095 NOT NULL,
    keep_drivers_days bigint DEFAULT 400 NOT NULL,
    shipment_prices boolean DEFAULT false NOT NULL,
    ask_geocoder boolean DEFAULT true NOT NULL,
    accept_drivers_pins boolean DEFAULT false NOT NULL,
    accept_arrivals boolean DEFAULT false NOT NULL,
    loading_minutes integer,
    goods_apart jsonb,
    max_stops integer,
    max_driving_minutes integer,
    load_dimensions jsonb,
    costs jsonb,
    rush_hours jsonb,
    learn_travel text DEFAULT 'PROPOSE'::text NOT NULL,
    recipient_page jsonb,
    CONSTRAINT organizations_approaching_minutes_check CHECK (((approaching_minutes >= 1) AND (approaching_minutes <= 240))),
    CONSTRAINT organizations_keep_drivers_check CHECK (((keep_drivers_days = 0) OR (keep_drivers_days >= 30))),
    CONSTRAINT organizations_keep_orders_check CHECK ((keep_orders_days >= 120)),
    CONSTRAINT organizations_keep_people_check CHECK (((keep_people_days = 0) OR (keep_people_days >= 30))),
    CONSTRAINT organizations_keep_proofs_check CHECK (((keep_proofs_days = 0) OR (keep_proofs_days >= 30))),
    CONSTRAINT organizations_language_check CHECK ((language = ANY (ARRAY['nb'::text, 'en'::text, 'da'::text]))),
    CONSTRAINT organizations_loading_minutes_check CHECK (((loading_minutes >= 0) AND (loading_minutes <= 1440))),
    CONSTRAINT organizations_max_driving_minutes_check CHECK (((max_driving_minutes >= 1) AND (max_driving_minutes <= 1440))),
    CONSTRAINT organizations_max_stops_check CHECK (((max_stops >= 1) AND (max_stops <= 1000))),
    CONSTRAINT organizations_office_phone_check CHECK ((office_phone ~ '^\+?[0-9][0-9 ()-]{2,29}$'::text)),
    CONSTRAINT organizations_proof_check CHECK ((jsonb_typeof(proof) = 'object'::text)),
    CONSTRAINT organizations_slug_check CHECK ((slug ~ '^[a-z0-9][a-z0-9-]{0,62}$'::text)),
    CONSTRAINT organizations_sscc_prefix_check CHECK ((sscc_prefix ~ '^[0-9]{7,12}$'::text))
);

CREATE VIEW export_feed WITH (security_invoker='true') AS
 SELECT e.org_id,
    e.order_id,
    e.carrier,
    e.place,
    e.version,
    e.fetched_version,
    (e.exported_version > 0) AS is_update
   FROM order_exports e
  WHERE ((e.state = 'pending'::text) AND ((NOT e.reexport) OR (e.succeeded_at >= ( SELECT o.reexport_since
           FROM organizations o
          WHERE ((o.id = current_org()) AND o.reexport)))));

CREATE SEQUENCE export_place
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

CREATE TABLE export_versions (
    org_id bigint NOT NULL,
    order_id bigint NOT NULL,
    version integer NOT NULL,
    token text NOT NULL,
    fingerprint bytea NOT NULL,
    payload text NOT NULL,
    offered_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE export_walks (
    org_id bigint NOT NULL,
    key_id bigint,
    per_page integer NOT NULL,
    total bigint NOT NULL,
    until bigint NOT NULL,
    ends bigint[] NOT NULL,
    started_at timestamp with time zone DEFAULT now() NOT NULL,
    walker text NOT NULL
);

COMMENT ON COLUMN export_walks.key_id IS 'For v0.2.0; to be dropped after v0.3.0, with export_walks_name_walker.';

CREATE TABLE external_updates (
    org_id bigint NOT NULL,
    id bigint NOT NULL,
    order_id bigint NOT NULL,
    carrier text,
    event_type text NOT NULL,
    label text,
    occurred_at timestamp with time zone NOT NULL,
    received_at timestamp with time zone DEFAULT now() NOT NULL,
    signee_name text,
    is_contactless boolean,
    success boolean DEFAULT true NOT NULL,
    failure_reason text,
    raw_body text NOT NULL,
    body_hash bytea,
    CONSTRAINT external_updates_event_type_check CHECK ((event_type = ANY (ARRAY['EVENT_TYPE_UNSPECIFIED'::text, 'EVENT_TYPE_ORDER_EXPORTED'::text, 'EVENT_TYPE_PICKUP_COMPLETED'::text, 'EVENT_TYPE_DELIVERED'::text, 'EVENT_TYPE_TERMINAL_SCAN'::text, 'EVENT_TYPE_STATUS_COMMENT'::text])))
);

ALTER TABLE external_updates ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME external_updates_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

ALTER TABLE freight_levels ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME freight_levels_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE freights (
    org_id bigint NOT NULL,
    id bigint NOT NULL,
    internal_freight_number text NOT NULL,
    consignee_id bigint NOT NULL,
    consignor_id bigint NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL
);

ALTER TABLE freights ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME freights_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE housekeeping_marks (
    duty text NOT NULL,
    mark text NOT NULL,
    noted_at timestamp with time zone DEFAULT now() NOT NULL,
    failed bigint DEFAULT 0 NOT NULL,
    counting bigint DEFAULT 0 NOT NULL
);

CREATE TABLE idempotency_keys (
    org_id bigint NOT NULL,
    operation text NOT NULL,
    key text NOT NULL,
    fingerprint bytea NOT NULL,
    claim bigint NOT NULL,
    claimed_until timestamp with time zone NOT NULL,
    status smallint,
    headers jsonb,
    body bytea,
    expires_at timestamp with time zone NOT NULL,
    caller text DEFAULT ''::text NOT NULL,
    outcome bytea
);

ALTER TABLE idempotency_keys ALTER COLUMN claim ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME idempotency_keys_claim_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE identities (
    org_id bigint NOT NULL,
    issuer text NOT NULL,
    subject text NOT NULL,
    user_id bigint NOT NULL,
    created_at timestamp with time zone NOT NULL
);

CREATE TABLE import_chunks (
    org_id bigint NOT NULL,
    import_id bigint NOT NULL,
    chunk integer NOT NULL,
    positions integer[] NOT NULL,
    entries bytea,
    done_at timestamp with time zone,
    numbers text[]
);
ALTER TABLE ONLY import_chunks ALTER COLUMN entries SET STORAGE EXTERNAL;

CREATE TABLE import_results (
    org_id bigint NOT NULL,
    import_id bigint NOT NULL,
    "position" integer NOT NULL,
    kind text NOT NULL,
    order_id bigint,
    draft_id bigint,
    external_id text NOT NULL,
    reasons jsonb,
    order_status_id smallint,
    CONSTRAINT import_results_kind_check CHECK ((kind = ANY (ARRAY['orderCreated'::text, 'draftCreated'::text, 'orderUpdated'::text, 'orderMerged'::text, 'failedUpdate'::text])))
);

CREATE TABLE imports (
    org_id bigint NOT NULL,
    id bigint NOT NULL,
    defaults jsonb NOT NULL,
    total integer NOT NULL,
    chunks integer NOT NULL,
    chunks_done integer DEFAULT 0 NOT NULL,
    request_id text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    completed_at timestamp with time zone,
    actor text DEFAULT NULLIF(current_setting('app.actor'::text, true), ''::text),
    ended_at timestamp with time zone,
    ended_as text
);

ALTER TABLE imports ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME imports_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE installation (
    is_only boolean DEFAULT true NOT NULL,
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    made_at timestamp with time zone DEFAULT now() NOT NULL,
    turn bigint DEFAULT 1 NOT NULL,
    turned_at timestamp with time zone DEFAULT now() NOT NULL,
    canary bytea,
    canary_at timestamp with time zone,
    CONSTRAINT installation_only_check CHECK (is_only)
);

CREATE TABLE live_etas (
    org_id bigint NOT NULL,
    order_id bigint NOT NULL,
    kind text NOT NULL,
    driver_id bigint NOT NULL,
    eta timestamp with time zone NOT NULL,
    told timestamp with time zone NOT NULL,
    ahead integer NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL
)
WITH (fillfactor='50', autovacuum_vacuum_scale_factor='0.02');

CREATE TABLE location_names (
    org_id bigint NOT NULL,
    location_id bigint NOT NULL,
    name text NOT NULL
);

CREATE TABLE location_prohibited_drivers (
    org_id bigint NOT NULL,
    location_id bigint NOT NULL,
    driver_id bigint NOT NULL
);

CREATE TABLE location_time_windows (
    org_id bigint NOT NULL,
    location_id bigint NOT NULL,
    seq smallint NOT NULL,
    rrule text NOT NULL,
    opens smallint NOT NULL,
    closes smallint NOT NULL,
    CONSTRAINT location_time_windows_closes_check CHECK (((closes >= 0) AND (closes <= 1440))),
    CONSTRAINT location_time_windows_opens_check CHECK (((opens >= 0) AND (opens <= 1440)))
);

ALTER TABLE locations ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME locations_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE log_marks (
    at timestamp with time zone NOT NULL,
    "position" bigint NOT NULL
);

CREATE TABLE message_tallies (
    org_id bigint NOT NULL,
    day date NOT NULL,
    channel text NOT NULL,
    receiver bytea NOT NULL,
    made integer NOT NULL
);

CREATE TABLE messaging_settings (
    org_id bigint NOT NULL,
    email_from text DEFAULT ''::text NOT NULL,
    email_name text DEFAULT ''::text NOT NULL,
    sms_from text DEFAULT ''::text NOT NULL,
    country text DEFAULT ''::text NOT NULL,
    smtp_url text DEFAULT ''::text NOT NULL,
    sms_account text DEFAULT ''::text NOT NULL,
    sms_token text DEFAULT ''::text NOT NULL,
    sendgrid_key text DEFAULT ''::text NOT NULL,
    postmark_login text DEFAULT ''::text NOT NULL
);

CREATE TABLE notification_handovers (
    org_id bigint NOT NULL,
    event_id bigint NOT NULL,
    rule_id bigint NOT NULL,
    receiver bigint NOT NULL,
    channel text NOT NULL,
    order_id bigint NOT NULL,
    handed_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE notifications (
    org_id bigint NOT NULL,
    id bigint NOT NULL,
    channel text NOT NULL,
    key text NOT NULL,
    try smallint DEFAULT 0 NOT NULL,
    retry_of bigint,
    workflow_id text NOT NULL,
    run_id text NOT NULL,
    event text NOT NULL,
    event_id bigint NOT NULL,
    rule_id bigint,
    order_id bigint,
    stop_id bigint,
    contact_id bigint,
    receiver text NOT NULL,
    sender text NOT NULL,
    subject text DEFAULT ''::text NOT NULL,
    body text DEFAULT ''::text NOT NULL,
    body_html text DEFAULT ''::text NOT NULL,
    provider text NOT NULL,
    provider_id text,
    status text NOT NULL,
    failure text,
    attempts smallint DEFAULT 0 NOT NULL,
    unanswered smallint DEFAULT 0 NOT NULL,
    send_window_from timestamp with time zone,
    send_window_to timestamp with time zone,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    dequeued_at timestamp with time zone,
    sent_at timestamp with time zone,
    delivered_at timestamp with time zone,
    track_trace_code text DEFAULT ''::text NOT NULL,
    uncertain boolean DEFAULT false NOT NULL,
    CONSTRAINT notifications_channel_check CHECK ((channel = ANY (ARRAY['EMAIL'::text, 'SMS'::text]))),
    CONSTRAINT notifications_delivered_check CHECK (((status = 'delivered'::text) = (delivered_at IS NOT NULL))),
    CONSTRAINT notifications_failed_check CHECK (((status = 'failed'::text) = (failure IS NOT NULL))),
    CONSTRAINT notifications_status_check CHECK ((status = ANY (ARRAY['queued'::text, 'job_dequeued'::text, 'sent'::text, 'failed'::text, 'delivered'::text, 'bounced'::text, 'spam'::text])))
);

CREATE VIEW notification_log WITH (security_invoker='true') AS
 SELECT x.org_id,
    x.id,
    x.channel,
    x.order_id,
    x.receiver,
    x.email,
    x.sms,
    (x.record ||
        CASE x.channel
            WHEN 'EMAIL'::text THEN jsonb_build_object('email', x.email)
            ELSE jsonb_build_object('sms', x.sms)
        END) AS record
   FROM ( SELECT n.org_id,
            n.id,
            n.channel,
            n.order_id,
            n.receiver,
            jsonb_strip_nulls(jsonb_build_object('emailLogId', n.id, 'orgId', n.org_id, 'orderId', COALESCE(n.order_id, (0)::bigint), 'orderLocationId', COALESCE(n.stop_id, (0)::bigint), 'contactId', COALESCE(n.contact_id, (0)::bigint), 'eventId', n.event_id, 'notificationConfigurationId', COALESCE(n.rule_id, (0)::bigint), 'emailType', n.event, 'fromAddress', n.sender, 'toAddress', n.receiver, 'subject', n.subject, 'body', n.body, 'bodyHtml', n.body_html, 'provider', n.provider, 'status', n.status, 'uncertain', NULLIF(n.uncertain, false), 'failureReason', n.failure, 'retryOf', n.retry_of, 'createdAt', iso_utc(n.created_at), 'deliveredAt', iso_utc(n.delivered_at))) AS email,
            jsonb_strip_nulls(jsonb_build_object('smsLogId', n.id, 'orgId', n.org_id, 'orderId', COALESCE(n.order_id, (0)::bigint), 'orderLocationId', COALESCE(n.stop_id, (0)::bigint), 'trackTraceCode', n.track_trace_code, 'event', n.event, 'message', n.body, 'toNumber', n.receiver, 'fromNumber', n.sender, 'providerName', n.provider, 'sendWindowFrom', iso_utc(n.send_window_from), 'sendWindowTo', iso_utc(n.send_window_to), 'status', n.status, 'uncertain', NULLIF(n.uncertain, false), 'failureReason', n.failure, 'retryOf', n.retry_of, 'createdAt', iso_utc(n.created_at), 'updatedAt', iso_utc(n.updated_at), 'sentAt', iso_utc(n.sent_at), 'dequeuedAt', iso_utc(n.dequeued_at))) AS sms,
            jsonb_build_object('id', n.id, 'type', n.channel, 'createdAt', iso_utc(n.created_at), 'orderId', COALESCE(n.order_id, (0)::bigint), 'receiver', n.receiver) AS record
           FROM notifications n) x;

CREATE TABLE notification_rules (
    org_id bigint NOT NULL,
    id bigint NOT NULL,
    event text NOT NULL,
    channel text NOT NULL,
    receiver text NOT NULL,
    address text DEFAULT ''::text NOT NULL,
    subject text DEFAULT ''::text NOT NULL,
    body text DEFAULT ''::text NOT NULL,
    body_html text DEFAULT ''::text NOT NULL,
    window_from smallint,
    window_to smallint,
    is_active boolean DEFAULT true NOT NULL,
    source text DEFAULT source_of_caller() NOT NULL,
    series text DEFAULT 'ONCE'::text NOT NULL,
    days_ahead smallint,
    CONSTRAINT notification_rules_address_check CHECK (((receiver = 'ADDRESS'::text) = (address <> ''::text))),
    CONSTRAINT notification_rules_channel_check CHECK ((channel = ANY (ARRAY['EMAIL'::text, 'SMS'::text]))),
    CONSTRAINT notification_rules_days_ahead_check CHECK (((days_ahead >= 1) AND (days_ahead <= 30))),
    CONSTRAINT notification_rules_receiver_check CHECK ((receiver = ANY (ARRAY['DELIVERY_CONTACTS'::text, 'PICKUP_CONTACTS'::text, 'CUSTOMER'::text, 'ADDRESS'::text]))),
    CONSTRAINT notification_rules_series_check CHECK ((series = ANY (ARRAY['ONCE'::text, 'EACH'::text, 'NEVER'::text]))),
    CONSTRAINT notification_rules_source_check CHECK ((source = ANY (ARRAY['document'::text, 'console'::text, 'api'::text, 'import'::text]))),
    CONSTRAINT notification_rules_window_check CHECK (((window_from IS NULL) = (window_to IS NULL))),
    CONSTRAINT notification_rules_window_from_check CHECK (((window_from >= 0) AND (window_from <= 1440))),
    CONSTRAINT notification_rules_window_to_check CHECK (((window_to >= 0) AND (window_to <= 1440)))
);

ALTER TABLE notification_rules ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME notification_rules_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE notification_steps (
    org_id bigint NOT NULL,
    id bigint NOT NULL,
    notification_id bigint NOT NULL,
    at timestamp with time zone DEFAULT now() NOT NULL,
    kind text NOT NULL,
    status text NOT NULL,
    code text DEFAULT ''::text NOT NULL,
    answer text DEFAULT ''::text NOT NULL,
    provider text DEFAULT ''::text NOT NULL,
    report_key text,
    occurred_at timestamp with time zone,
    next_at timestamp with time zone,
    times bigint DEFAULT 1 NOT NULL,
    last_at timestamp with time zone
);

ALTER TABLE notification_steps ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME notification_steps_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

ALTER TABLE notifications ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME notifications_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE oidc_providers (
    org_id bigint NOT NULL,
    id bigint NOT NULL,
    slug text NOT NULL,
    name text NOT NULL,
    issuer text NOT NULL,
    client_id text NOT NULL,
    is_active boolean DEFAULT true NOT NULL,
    sealed_secret bytea,
    new_users_role_id bigint,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT oidc_providers_slug_check CHECK ((slug ~ '^[a-z0-9][a-z0-9-]{0,62}$'::text))
);

ALTER TABLE oidc_providers ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME oidc_providers_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE operator_actions (
    id bigint NOT NULL,
    done_at timestamp with time zone DEFAULT now() NOT NULL,
    operator text NOT NULL,
    command text NOT NULL,
    done text NOT NULL,
    CONSTRAINT operator_actions_operator_check CHECK ((operator <> ''::text))
);

ALTER TABLE operator_actions ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME operator_actions_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE order_archives (
    org_id bigint NOT NULL,
    id bigint NOT NULL,
    month date NOT NULL,
    storage_key text NOT NULL,
    lines integer NOT NULL,
    size bigint NOT NULL,
    sha256 bytea NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT order_archives_month_check CHECK ((date_trunc('month'::text, (month)::timestamp without time zone) = (month)::timestamp without time zone))
);

ALTER TABLE order_archives ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME order_archives_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE order_documentations (
    org_id bigint NOT NULL,
    id bigint NOT NULL,
    order_id bigint NOT NULL,
    stop_id bigint,
    type text NOT NULL,
    comment text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    driver_id bigint,
    action_id uuid,
    occurred_at timestamp with time zone,
    note_location_id bigint
);

ALTER TABLE order_documentations ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME order_documentations_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE order_documents (
    org_id bigint NOT NULL,
    order_id bigint NOT NULL,
    document_id bigint NOT NULL,
    attached_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE order_driver_locks (
    org_id bigint NOT NULL,
    order_id bigint NOT NULL,
    driver_id bigint NOT NULL,
    locked_at timestamp with time zone DEFAULT now() NOT NULL,
    locked_by text DEFAULT NULLIF(current_setting('app.actor'::text, true), ''::text),
    reason text,
    accepts_anyhow boolean DEFAULT false NOT NULL,
    pickup_until timestamp with time zone,
    delivery_until timestamp with time zone
);

CREATE TABLE order_group_members (
    org_id bigint NOT NULL,
    order_id bigint NOT NULL,
    group_id bigint NOT NULL
);
ALTER TABLE ONLY order_group_members ALTER COLUMN org_id SET STATISTICS 0;

CREATE TABLE order_groups (
    org_id bigint NOT NULL,
    id bigint NOT NULL,
    name text NOT NULL,
    is_active boolean DEFAULT true NOT NULL,
    source text DEFAULT source_of_caller() NOT NULL,
    CONSTRAINT order_groups_source_check CHECK ((source = ANY (ARRAY['document'::text, 'console'::text, 'api'::text, 'import'::text])))
);

ALTER TABLE order_groups ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME order_groups_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE order_moves (
    org_id bigint NOT NULL,
    id bigint NOT NULL,
    order_id bigint NOT NULL,
    source text NOT NULL,
    at timestamp with time zone NOT NULL,
    status_id smallint NOT NULL,
    driver_id bigint,
    stop text,
    reason text,
    corrects boolean DEFAULT false NOT NULL,
    CONSTRAINT order_moves_source_check CHECK ((source = ANY (ARRAY['OFFICE'::text, 'CARRIER'::text, 'CANCELLED'::text, 'REACTIVATED'::text]))),
    CONSTRAINT order_moves_stop_check CHECK ((stop = ANY (ARRAY['pickup'::text, 'delivery'::text])))
);

ALTER TABLE order_moves ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME order_moves_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE order_numbers (
    org_id bigint NOT NULL,
    number text NOT NULL,
    order_id bigint,
    cancelled_at timestamp with time zone,
    receipt bigint
);
ALTER TABLE ONLY order_numbers ALTER COLUMN org_id SET STATISTICS 0;

CREATE TABLE order_numbers_by_hand (
    org_id bigint NOT NULL,
    number text NOT NULL
);

CREATE TABLE order_prices (
    org_id bigint NOT NULL,
    order_id bigint NOT NULL,
    seq integer NOT NULL,
    name text DEFAULT ''::text NOT NULL,
    price numeric NOT NULL,
    currency text NOT NULL,
    quantity double precision DEFAULT 1 NOT NULL,
    computed boolean DEFAULT false NOT NULL,
    CONSTRAINT order_prices_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text))
);
ALTER TABLE ONLY order_prices ALTER COLUMN org_id SET STATISTICS 0;

CREATE TABLE order_product_deliveries (
    org_id bigint NOT NULL,
    order_product_id bigint NOT NULL,
    order_id bigint NOT NULL,
    delivered double precision NOT NULL,
    refused double precision NOT NULL,
    reason text,
    CONSTRAINT order_product_deliveries_delivered_check CHECK ((delivered >= (0)::double precision)),
    CONSTRAINT order_product_deliveries_refused_check CHECK ((refused >= (0)::double precision))
);

CREATE TABLE order_products (
    org_id bigint NOT NULL,
    id bigint NOT NULL,
    order_id bigint NOT NULL,
    number text NOT NULL,
    seq integer NOT NULL,
    name text DEFAULT ''::text NOT NULL,
    quantity double precision DEFAULT 1 NOT NULL,
    weight double precision,
    length double precision,
    width double precision,
    height double precision,
    barcode_id text,
    external_id text,
    instance_number text,
    parent_id bigint,
    atom_type text DEFAULT 'trade item'::text NOT NULL,
    is_modified boolean DEFAULT false NOT NULL,
    load_amounts jsonb,
    CONSTRAINT order_products_atom_type_check CHECK ((atom_type = ANY (ARRAY['colli'::text, 'trade item'::text])))
);
ALTER TABLE ONLY order_products ALTER COLUMN org_id SET STATISTICS 0;

CREATE TABLE order_products_missing (
    org_id bigint NOT NULL,
    order_product_id bigint NOT NULL,
    order_id bigint NOT NULL,
    missing double precision NOT NULL,
    reason text,
    driver_id bigint,
    reported_at timestamp with time zone,
    CONSTRAINT order_products_missing_missing_check CHECK ((missing > (0)::double precision))
);

CREATE VIEW order_product_documents WITH (security_invoker='true') AS
 SELECT p.org_id,
    p.order_id,
    p.id,
    p.seq,
    (((jsonb_build_object('id', p.id, 'order_id', p.order_id, 'internal_order_number', p.number, 'name', p.name, 'quantity', p.quantity, 'weight', p.weight, 'length', p.length, 'width', p.width, 'height', p.height, 'barcode_id', p.barcode_id, 'external_id', p.external_id, 'instance_number', p.instance_number, 'parent_id', p.parent_id, 'parent_sscc', parent.barcode_id, 'atom_type', p.atom_type, 'is_modified', p.is_modified) ||
        CASE
            WHEN (p.load_amounts IS NULL) THEN '{}'::jsonb
            ELSE jsonb_build_object('load_amounts', p.load_amounts)
        END) ||
        CASE
            WHEN (d.order_id IS NULL) THEN '{}'::jsonb
            ELSE jsonb_build_object('delivered_quantity', d.delivered, 'refused_quantity', d.refused, 'refusal_reason', d.reason)
        END) ||
        CASE
            WHEN (m.order_id IS NULL) THEN '{}'::jsonb
            ELSE jsonb_build_object('missing_quantity', m.missing, 'missing_reason', m.reason, 'missing_driver_id', m.driver_id, 'missing_driver_name', w.name, 'missing_reported_at', iso_utc(m.reported_at))
        END) AS base
   FROM ((((order_products p
     LEFT JOIN order_products parent ON (((parent.org_id = p.org_id) AND (parent.id = p.parent_id))))
     LEFT JOIN order_product_deliveries d ON (((d.org_id = p.org_id) AND (d.order_product_id = p.id))))
     LEFT JOIN order_products_missing m ON (((m.org_id = p.org_id) AND (m.order_product_id = p.id))))
     LEFT JOIN drivers w ON (((w.org_id = m.org_id) AND (w.id = m.driver_id))));

CREATE TABLE order_product_skills (
    org_id bigint NOT NULL,
    order_product_id bigint NOT NULL,
    skill_id bigint NOT NULL,
    type text NOT NULL,
    CONSTRAINT order_product_skills_type_check CHECK ((type = ANY (ARRAY['REQUIRED'::text, 'PROHIBITED'::text])))
);
ALTER TABLE ONLY order_product_skills ALTER COLUMN org_id SET STATISTICS 0;

CREATE TABLE order_product_units (
    org_id bigint NOT NULL,
    order_product_id bigint NOT NULL,
    unit integer NOT NULL,
    barcode_id text NOT NULL,
    drawn_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT order_product_units_unit_check CHECK ((unit >= 1))
);

ALTER TABLE order_products ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME order_products_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE order_progress (
    org_id bigint NOT NULL,
    order_id bigint NOT NULL,
    given_to bigint,
    pickup_status text NOT NULL,
    pickup_arrived_at timestamp with time zone,
    pickup_ended_at timestamp with time zone,
    delivery_status text NOT NULL,
    delivery_arrived_at timestamp with time zone,
    delivery_ended_at timestamp with time zone,
    failure_reason text,
    CONSTRAINT order_progress_delivery_status_check CHECK ((delivery_status = ANY (ARRAY['pending'::text, 'arrived'::text, 'completed'::text, 'failed'::text, 'dropped'::text]))),
    CONSTRAINT order_progress_pickup_status_check CHECK ((pickup_status = ANY (ARRAY['pending'::text, 'arrived'::text, 'completed'::text, 'failed'::text])))
)
WITH (fillfactor='80');

CREATE TABLE order_prohibited_drivers (
    org_id bigint NOT NULL,
    order_id bigint NOT NULL,
    driver_id bigint NOT NULL,
    reason text
);

CREATE TABLE order_reminders (
    org_id bigint NOT NULL,
    order_id bigint NOT NULL,
    days_ahead smallint NOT NULL,
    date date NOT NULL,
    reminded_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE order_statuses (
    id smallint NOT NULL,
    name text NOT NULL
);

COMMENT ON TABLE order_statuses IS 'The same for all organizations, and fixed: active is 1 to 5.';

CREATE VIEW order_status_feed WITH (security_invoker='true') AS
 SELECT e.org_id,
    e."position",
    n.place,
    (n.place = COALESCE(jsonb_array_length((e.data -> 'numbers'::text)), 1)) AS is_last,
    e.order_id,
    n.number AS external_id,
    e.order_status_id,
    s.name AS status,
    COALESCE(e.occurred_at, e.recorded_at) AS occurred_at,
    e.driver_id,
    COALESCE(e.stop,
        CASE e.order_status_id
            WHEN 3 THEN 'pickup'::text
            WHEN 5 THEN 'delivery'::text
            ELSE NULL::text
        END) AS stop,
        CASE
            WHEN (e.kind = ANY (ARRAY['order.planned'::text, 'order.eta_changed'::text])) THEN ((e.data ->> 'delivery'::text))::timestamp with time zone
            ELSE NULL::timestamp with time zone
        END AS eta,
    e.kind,
        CASE
            WHEN (e.order_status_id = 7) THEN COALESCE(( SELECT a.reason
               FROM driver_actions a
              WHERE ((a.org_id = e.org_id) AND (a.id = ((e.data ->> 'action'::text))::uuid))), ( SELECT u.failure_reason
               FROM external_updates u
              WHERE ((u.org_id = e.org_id) AND (u.id = ((e.data ->> 'report'::text))::bigint))), ( SELECT d.comment
               FROM order_documentations d
              WHERE ((d.org_id = e.org_id) AND (d.order_id = e.order_id) AND (d.type = 'failure'::text) AND ((e.data -> 'notes'::text) @> to_jsonb(d.id)))))
            ELSE NULL::text
        END AS reason,
        CASE
            WHEN (e.order_status_id = 7) THEN COALESCE(( SELECT a.comment
               FROM driver_actions a
              WHERE ((a.org_id = e.org_id) AND (a.id = ((e.data ->> 'action'::text))::uuid))), ( SELECT d.comment
               FROM order_documentations d
              WHERE ((d.org_id = e.org_id) AND (d.order_id = e.order_id) AND (d.type = 'comment'::text) AND ((e.data -> 'notes'::text) @> to_jsonb(d.id)))))
            ELSE NULL::text
        END AS comment
   FROM ((events e
     JOIN order_statuses s ON ((s.id = e.order_status_id)))
     CROSS JOIN LATERAL jsonb_array_elements_text(COALESCE((e.data -> 'numbers'::text), jsonb_build_array(e.external_id))) WITH ORDINALITY n(number, place))
  WHERE ((e."position" IS NOT NULL) AND (e.order_status_id IS NOT NULL));

CREATE TABLE plan_stops (
    org_id bigint NOT NULL,
    order_id bigint NOT NULL,
    kind text NOT NULL,
    plan_id bigint NOT NULL,
    driver_id bigint NOT NULL,
    seq integer NOT NULL,
    arrives_at timestamp with time zone NOT NULL,
    starts_at timestamp with time zone NOT NULL,
    leaves_at timestamp with time zone NOT NULL,
    slack_seconds integer NOT NULL,
    eta timestamp with time zone NOT NULL,
    driving_seconds integer NOT NULL,
    meters integer NOT NULL,
    latitude double precision NOT NULL,
    longitude double precision NOT NULL,
    guessed boolean DEFAULT false NOT NULL,
    late_seconds integer DEFAULT 0 NOT NULL,
    version bigint DEFAULT 0 NOT NULL,
    meters_from_road bigint,
    setup_seconds integer DEFAULT 0 NOT NULL,
    joined boolean DEFAULT false NOT NULL,
    curbside boolean DEFAULT false NOT NULL
)
WITH (fillfactor='60', autovacuum_vacuum_scale_factor='0.02');

CREATE VIEW order_stop_documents WITH (security_invoker='true') AS
 SELECT s.org_id,
    s.order_id,
    s.kind,
    s.id,
    (jsonb_build_object('id', s.id, 'order_id', s.order_id, 'type', s.kind, 'location_id', s.location_id, 'name', s.name, 'earliest', iso_utc(s.earliest), 'latest', iso_utc(s.latest), 'window_source', s.window_source, 'estimated_time_on_location', s.estimated_time_on_location, 'send_notification_before_arriving', s.send_notification_before_arriving, 'instructions', s.instructions, 'customer_instructions', s.customer_instructions, 'parking_instructions', s.parking_instructions, 'priority', s.priority, 'status',
        CASE
            WHEN (s.cancelled_at IS NOT NULL) THEN 'cancelled'::text
            WHEN (s.kind = 'pickup'::text) THEN COALESCE(g.pickup_status, 'pending'::text)
            ELSE COALESCE(g.delivery_status, 'pending'::text)
        END, 'arrived_at', iso_utc(
        CASE s.kind
            WHEN 'pickup'::text THEN g.pickup_arrived_at
            ELSE g.delivery_arrived_at
        END), 'ended_at', iso_utc(
        CASE s.kind
            WHEN 'pickup'::text THEN g.pickup_ended_at
            ELSE g.delivery_ended_at
        END), 'failure_reason',
        CASE
            WHEN ('failed'::text =
            CASE s.kind
                WHEN 'pickup'::text THEN g.pickup_status
                ELSE g.delivery_status
            END) THEN g.failure_reason
            ELSE NULL::text
        END, 'eta', ( SELECT iso_utc(COALESCE(e.eta, p.eta)) AS iso_utc
           FROM (plan_stops p
             LEFT JOIN live_etas e ON (((e.org_id = p.org_id) AND (e.order_id = p.order_id) AND (e.kind = p.kind) AND (e.driver_id = p.driver_id))))
          WHERE ((p.org_id = s.org_id) AND (p.order_id = s.order_id) AND (p.kind = s.kind))), 'position', stop_position(s.*)) || COALESCE(
        CASE s.window_source
            WHEN 'booking'::text THEN (s.asks - 'time_windows'::text)
            ELSE s.asks
        END, '{}'::jsonb)) AS base,
    jsonb_build_object('address1', s.address1, 'address2', s.address2, 'postal_code', s.postal_code, 'city', s.city, 'state', s.state, 'country', s.country, 'latitude', s.latitude, 'longitude', s.longitude) AS address
   FROM (order_stops s
     LEFT JOIN order_progress g ON (((g.org_id = s.org_id) AND (g.order_id = s.order_id))));

ALTER TABLE order_stops ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME order_stops_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE order_texts (
    org_id bigint NOT NULL,
    order_id bigint NOT NULL,
    text text NOT NULL
);

ALTER TABLE order_types ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME order_types_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

ALTER TABLE orders ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME orders_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

ALTER TABLE organizations ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME organizations_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE parked_events (
    org_id bigint NOT NULL,
    follower text NOT NULL,
    event_id bigint NOT NULL,
    "position" bigint NOT NULL,
    kind text NOT NULL,
    reason text NOT NULL,
    parked_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE passkeys (
    org_id bigint NOT NULL,
    id bigint NOT NULL,
    user_id bigint NOT NULL,
    credential_id bytea NOT NULL,
    credential jsonb NOT NULL,
    name text DEFAULT ''::text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    last_used_at timestamp with time zone
);

ALTER TABLE passkeys ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME passkeys_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE place_answers (
    org_id bigint NOT NULL,
    key bytea NOT NULL,
    provider text NOT NULL,
    asked bigint DEFAULT 1 NOT NULL,
    asked_at timestamp with time zone DEFAULT now() NOT NULL,
    answered_at timestamp with time zone,
    expires_at timestamp with time zone NOT NULL,
    "precision" text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C",
    latitude double precision,
    longitude double precision
);

CREATE UNLOGGED TABLE place_loads (
    load bigint NOT NULL,
    source text NOT NULL,
    fingerprint text NOT NULL,
    staged bigint DEFAULT 0 NOT NULL,
    started_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE SEQUENCE place_loads_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

CREATE TABLE place_moves (
    org_id bigint NOT NULL,
    key bytea NOT NULL,
    xid xid8 NOT NULL
);

CREATE TABLE place_pins (
    org_id bigint NOT NULL,
    id bigint NOT NULL,
    key bytea NOT NULL,
    address1 text NOT NULL,
    postal_code text NOT NULL,
    city text NOT NULL,
    country text NOT NULL COLLATE pg_catalog."C",
    latitude double precision NOT NULL,
    longitude double precision NOT NULL,
    pinned_by text NOT NULL,
    pinned_at timestamp with time zone DEFAULT now() NOT NULL,
    source text DEFAULT 'PERSON'::text NOT NULL,
    CONSTRAINT place_pins_latitude_check CHECK (((latitude >= ('-90'::integer)::double precision) AND (latitude <= (90)::double precision))),
    CONSTRAINT place_pins_longitude_check CHECK (((longitude >= ('-180'::integer)::double precision) AND (longitude <= (180)::double precision)))
);

ALTER TABLE place_pins ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME place_pins_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE place_proposals (
    org_id bigint NOT NULL,
    id bigint NOT NULL,
    key bytea NOT NULL,
    source text NOT NULL,
    state text DEFAULT 'OPEN'::text NOT NULL,
    address1 text NOT NULL,
    postal_code text NOT NULL,
    city text NOT NULL,
    country text NOT NULL COLLATE pg_catalog."C",
    latitude double precision NOT NULL,
    longitude double precision NOT NULL,
    accuracy_meters double precision,
    arrivals bigint DEFAULT 0 NOT NULL,
    driver_id bigint,
    stop_id bigint NOT NULL,
    proposed_at timestamp with time zone DEFAULT now() NOT NULL,
    decided_at timestamp with time zone,
    decided_by text,
    target text DEFAULT 'ADDRESS'::text NOT NULL,
    location_id bigint,
    CONSTRAINT place_proposals_latitude_check CHECK (((latitude >= ('-90'::integer)::double precision) AND (latitude <= (90)::double precision))),
    CONSTRAINT place_proposals_longitude_check CHECK (((longitude >= ('-180'::integer)::double precision) AND (longitude <= (180)::double precision))),
    CONSTRAINT place_proposals_source_check CHECK ((source = ANY (ARRAY['DRIVER'::text, 'ARRIVALS'::text]))),
    CONSTRAINT place_proposals_state_check CHECK ((state = ANY (ARRAY['OPEN'::text, 'ACCEPTED'::text, 'DISMISSED'::text])))
);

ALTER TABLE place_proposals ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME place_proposals_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE place_sources (
    id bigint NOT NULL,
    name text NOT NULL,
    format text NOT NULL,
    rank bigint NOT NULL,
    attribution text NOT NULL,
    fingerprint text NOT NULL,
    load bigint NOT NULL,
    streets bigint DEFAULT 0 NOT NULL,
    addresses bigint DEFAULT 0 NOT NULL,
    towns bigint DEFAULT 0 NOT NULL,
    skipped bigint DEFAULT 0 NOT NULL,
    loaded_at timestamp with time zone DEFAULT now() NOT NULL
);

ALTER TABLE place_sources ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME place_sources_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE place_work (
    org_id bigint NOT NULL,
    wanted bigint DEFAULT 1 NOT NULL,
    done bigint DEFAULT 0 NOT NULL,
    register_xid xid8,
    placed_order bigint DEFAULT 0 NOT NULL,
    waiting bigint DEFAULT 0 NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE plan_moved_orders (
    org_id bigint NOT NULL,
    move_id bigint NOT NULL,
    order_id bigint NOT NULL,
    from_driver_id bigint,
    to_driver_id bigint NOT NULL,
    locked_to bigint,
    locked_by text,
    locked_at timestamp with time zone,
    accepts_anyhow boolean DEFAULT false NOT NULL,
    pickup_until timestamp with time zone,
    delivery_until timestamp with time zone
);

CREATE TABLE plan_moved_routes (
    org_id bigint NOT NULL,
    move_id bigint NOT NULL,
    driver_id bigint NOT NULL,
    stops bigint[] NOT NULL
);

CREATE TABLE plan_moves (
    org_id bigint NOT NULL,
    id bigint NOT NULL,
    plan_id bigint NOT NULL,
    kind text NOT NULL,
    version bigint NOT NULL,
    done_by text DEFAULT NULLIF(current_setting('app.actor'::text, true), ''::text) NOT NULL,
    done_at timestamp with time zone DEFAULT now() NOT NULL,
    undone_at timestamp with time zone,
    CONSTRAINT plan_moves_kind_check CHECK ((kind = ANY (ARRAY['MOVE'::text, 'HANDOVER'::text, 'SWAP'::text])))
);

ALTER TABLE plan_moves ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME plan_moves_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE plan_preview_routes (
    org_id bigint NOT NULL,
    preview_id bigint NOT NULL,
    driver_id bigint NOT NULL,
    was bigint[] NOT NULL,
    becomes bigint[] NOT NULL
);

CREATE TABLE plan_previews (
    org_id bigint NOT NULL,
    id bigint NOT NULL,
    plan_id bigint NOT NULL,
    made_by text DEFAULT NULLIF(current_setting('app.actor'::text, true), ''::text) NOT NULL,
    made_at timestamp with time zone DEFAULT now() NOT NULL
);

ALTER TABLE plan_previews ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME plan_previews_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE plan_released_stops (
    org_id bigint NOT NULL,
    plan_id bigint NOT NULL,
    order_id bigint NOT NULL,
    kind text NOT NULL,
    driver_id bigint NOT NULL,
    seq integer NOT NULL,
    arrives_at timestamp with time zone NOT NULL,
    starts_at timestamp with time zone NOT NULL,
    leaves_at timestamp with time zone NOT NULL,
    CONSTRAINT plan_released_stops_kind_check CHECK ((kind = ANY (ARRAY['pickup'::text, 'delivery'::text])))
);

CREATE TABLE plan_routes (
    org_id bigint NOT NULL,
    plan_id bigint NOT NULL,
    driver_id bigint NOT NULL,
    vehicle_id bigint,
    starts_at timestamp with time zone NOT NULL,
    ends_at timestamp with time zone NOT NULL,
    driving_seconds integer NOT NULL,
    waiting_seconds integer NOT NULL,
    meters integer NOT NULL,
    weight_kg numeric NOT NULL,
    volume_m3 numeric NOT NULL,
    break_starts_at timestamp with time zone,
    break_ends_at timestamp with time zone,
    breaks jsonb DEFAULT '[]'::jsonb NOT NULL,
    driving_left_seconds integer,
    load_amounts jsonb DEFAULT '[]'::jsonb NOT NULL,
    costs jsonb,
    co_driver_id bigint,
    shares_driving boolean DEFAULT false NOT NULL,
    CONSTRAINT plan_routes_break_check CHECK (((break_starts_at IS NULL) = (break_ends_at IS NULL)))
);

CREATE TABLE plan_unplanned (
    org_id bigint NOT NULL,
    order_id bigint NOT NULL,
    plan_id bigint NOT NULL,
    state text NOT NULL,
    certainty text NOT NULL,
    searched_ms integer DEFAULT 0 NOT NULL,
    reasons jsonb DEFAULT '[]'::jsonb NOT NULL,
    counterfactuals jsonb,
    since timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    help_drivers bigint[],
    help_until timestamp with time zone,
    CONSTRAINT plan_unplanned_certainty_check CHECK ((certainty = ANY (ARRAY['PROVEN'::text, 'NOT_FOUND'::text]))),
    CONSTRAINT plan_unplanned_state_check CHECK ((state = ANY (ARRAY['UNPLANNED'::text, 'UNPLANNABLE'::text])))
);

CREATE TABLE plans (
    org_id bigint NOT NULL,
    id bigint NOT NULL,
    department_id bigint,
    day date NOT NULL,
    version bigint DEFAULT 0 NOT NULL,
    searched_ms integer DEFAULT 0 NOT NULL,
    travel text DEFAULT 'crow'::text NOT NULL,
    travel_failure text,
    fresh boolean DEFAULT false NOT NULL,
    planned_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    guessed_legs integer DEFAULT 0 NOT NULL,
    left_out jsonb DEFAULT '{}'::jsonb NOT NULL,
    carried_over bigint DEFAULT 0 NOT NULL,
    fresh_version bigint DEFAULT 0 NOT NULL,
    released_at timestamp with time zone,
    released_by text,
    released_changes bigint DEFAULT 0 NOT NULL,
    travel_failure_code text,
    CONSTRAINT plans_left_out_check CHECK ((jsonb_typeof(left_out) = 'object'::text))
);

ALTER TABLE plans ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME plans_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE price_list_lines (
    org_id bigint NOT NULL,
    price_list_id bigint NOT NULL,
    seq integer NOT NULL,
    from_zone_id bigint,
    to_zone_id bigint,
    freight_level_id bigint,
    base numeric NOT NULL,
    per_kg numeric NOT NULL,
    per_colli numeric NOT NULL,
    CONSTRAINT price_list_lines_base_check CHECK ((base >= (0)::numeric)),
    CONSTRAINT price_list_lines_per_colli_check CHECK ((per_colli >= (0)::numeric)),
    CONSTRAINT price_list_lines_per_kg_check CHECK ((per_kg >= (0)::numeric))
);

CREATE TABLE price_list_order_types (
    org_id bigint NOT NULL,
    price_list_id bigint NOT NULL,
    order_type_id bigint NOT NULL
);

CREATE TABLE price_lists (
    org_id bigint NOT NULL,
    id bigint NOT NULL,
    name text NOT NULL,
    seq integer NOT NULL,
    currency text NOT NULL,
    minimum_price numeric DEFAULT 0 NOT NULL,
    is_active boolean DEFAULT true NOT NULL,
    source text DEFAULT source_of_caller() NOT NULL,
    CONSTRAINT price_lists_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text)),
    CONSTRAINT price_lists_minimum_price_check CHECK ((minimum_price >= (0)::numeric)),
    CONSTRAINT price_lists_source_check CHECK ((source = ANY (ARRAY['document'::text, 'console'::text, 'api'::text, 'import'::text])))
);

ALTER TABLE price_lists ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME price_lists_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE product_skills (
    org_id bigint NOT NULL,
    product_id bigint NOT NULL,
    skill_id bigint NOT NULL
);

CREATE VIEW product_status_feed WITH (security_invoker='true') AS
 SELECT e.org_id,
    e."position",
    u.place,
    e.order_id,
    COALESCE(p.number, e.external_id) AS external_id,
    u.product_id,
    p.external_id AS product_external_id,
    s.id AS status_id,
    s.name AS status,
    COALESCE(e.occurred_at, e.recorded_at) AS occurred_at,
    e.driver_id,
    e.stop,
        CASE
            WHEN (e.kind = 'order.product_scanned'::text) THEN e.data
            ELSE NULL::jsonb
        END AS scan
   FROM (((events e
     CROSS JOIN LATERAL unnest((COALESCE(e.product_ids, '{}'::bigint[]) || COALESCE(e.removed_product_ids, '{}'::bigint[]))) WITH ORDINALITY u(product_id, place))
     JOIN order_statuses s ON ((s.id =
        CASE
            WHEN (u.place <= COALESCE(cardinality(e.product_ids), 0)) THEN (e.product_status_id)::integer
            ELSE 8
        END)))
     LEFT JOIN order_products p ON (((p.org_id = e.org_id) AND (p.id = u.product_id))))
  WHERE ((e."position" IS NOT NULL) AND (e.product_status_id IS NOT NULL));

CREATE TABLE product_units (
    org_id bigint NOT NULL,
    product_id bigint NOT NULL,
    seq smallint NOT NULL,
    name text NOT NULL,
    quantity numeric NOT NULL,
    barcode_id text,
    CONSTRAINT product_units_quantity_check CHECK ((quantity > (0)::numeric))
);

CREATE TABLE products (
    org_id bigint NOT NULL,
    id bigint NOT NULL,
    external_id text NOT NULL,
    name text NOT NULL,
    barcode_id text,
    weight numeric,
    length numeric,
    width numeric,
    height numeric,
    atom_type text NOT NULL,
    is_active boolean DEFAULT true NOT NULL,
    source text DEFAULT source_of_caller() NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT products_atom_type_check CHECK ((atom_type = ANY (ARRAY['colli'::text, 'trade item'::text]))),
    CONSTRAINT products_height_check CHECK ((height >= (0)::numeric)),
    CONSTRAINT products_length_check CHECK ((length >= (0)::numeric)),
    CONSTRAINT products_source_check CHECK ((source = ANY (ARRAY['document'::text, 'console'::text, 'api'::text, 'import'::text]))),
    CONSTRAINT products_weight_check CHECK ((weight >= (0)::numeric)),
    CONSTRAINT products_width_check CHECK ((width >= (0)::numeric))
);

ALTER TABLE products ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME products_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE proof_chains (
    org_id bigint NOT NULL,
    seq bigint NOT NULL,
    hash bytea NOT NULL
);

CREATE TABLE proof_pictures (
    org_id bigint NOT NULL,
    sha256 bytea NOT NULL,
    content_type text NOT NULL,
    size bigint NOT NULL,
    storage_key text NOT NULL,
    driver_id bigint NOT NULL,
    arrived_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT proof_pictures_sha256_check CHECK ((length(sha256) = 32)),
    CONSTRAINT proof_pictures_size_check CHECK ((size > 0))
);

CREATE TABLE recipient_instructions (
    org_id bigint NOT NULL,
    order_id bigint NOT NULL,
    instructions text NOT NULL,
    safe_place text,
    safe_place_note text NOT NULL,
    door_code text NOT NULL,
    changed_at timestamp with time zone DEFAULT now() NOT NULL,
    changes bigint DEFAULT 1 NOT NULL,
    absent boolean DEFAULT false NOT NULL,
    CONSTRAINT recipient_instructions_safe_place_check CHECK ((safe_place = ANY (ARRAY['FRONT_DOOR'::text, 'BACK_DOOR'::text, 'GARAGE'::text, 'SHED'::text, 'MAILBOX'::text, 'NEIGHBOR'::text, 'RECEPTION'::text, 'OTHER'::text])))
);

CREATE TABLE recipient_preferences (
    org_id bigint NOT NULL,
    order_id bigint NOT NULL,
    language text,
    unwanted boolean NOT NULL,
    changed_at timestamp with time zone DEFAULT now() NOT NULL,
    changes bigint DEFAULT 1 NOT NULL,
    CONSTRAINT recipient_preferences_language_check CHECK ((language = ANY (ARRAY['nb'::text, 'da'::text, 'en'::text])))
);

CREATE TABLE recipient_ratings (
    org_id bigint NOT NULL,
    order_id bigint NOT NULL,
    stars bigint NOT NULL,
    comment text NOT NULL,
    changed_at timestamp with time zone DEFAULT now() NOT NULL,
    changes bigint DEFAULT 1 NOT NULL,
    CONSTRAINT recipient_ratings_stars_check CHECK (((stars >= 1) AND (stars <= 5)))
);

CREATE TABLE recovery_codes (
    org_id bigint NOT NULL,
    user_id bigint NOT NULL,
    hash bytea NOT NULL,
    used_at timestamp with time zone
);

CREATE TABLE recurring_occurrences (
    org_id bigint NOT NULL,
    recurring_order_id bigint NOT NULL,
    occurrence text NOT NULL,
    number text NOT NULL,
    at timestamp with time zone NOT NULL,
    date date NOT NULL,
    version bigint NOT NULL,
    written_at timestamp with time zone DEFAULT now(),
    withdrawn_at timestamp with time zone
);
ALTER TABLE ONLY recurring_occurrences ALTER COLUMN org_id SET STATISTICS 0;

COMMENT ON COLUMN recurring_occurrences.written_at IS 'For v0.2.0; to be dropped after v0.3.0.';

CREATE TABLE recurring_order_changes (
    org_id bigint NOT NULL,
    id bigint NOT NULL,
    recurring_order_id bigint NOT NULL,
    creates boolean NOT NULL,
    change text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    done_at timestamp with time zone,
    refusal jsonb,
    actor text DEFAULT NULLIF(current_setting('app.actor'::text, true), ''::text)
);

ALTER TABLE recurring_order_changes ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME recurring_order_changes_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE recurring_orders (
    org_id bigint NOT NULL,
    id bigint NOT NULL,
    name text NOT NULL,
    customer_id bigint NOT NULL,
    order_type_id bigint NOT NULL,
    vehicle_type_id bigint NOT NULL,
    pickup_location_id bigint NOT NULL,
    delivery_location_id bigint NOT NULL,
    order_template text NOT NULL,
    rruleset text NOT NULL,
    start_date timestamp with time zone NOT NULL,
    end_date timestamp with time zone,
    days_to_generate_ahead smallint NOT NULL,
    is_active boolean DEFAULT true NOT NULL,
    is_paused boolean DEFAULT false NOT NULL,
    version bigint DEFAULT 1 NOT NULL,
    applied_from bigint DEFAULT 0 NOT NULL,
    generated_count bigint DEFAULT 0 NOT NULL,
    generated_through date,
    last_generated_at timestamp with time zone,
    next_run_at timestamp with time zone,
    last_error text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    owes boolean DEFAULT false NOT NULL,
    applied_to bigint DEFAULT 0 NOT NULL,
    is_complete boolean DEFAULT false NOT NULL,
    announced bigint DEFAULT 0 NOT NULL,
    CONSTRAINT recurring_orders_days_to_generate_ahead_check CHECK (((days_to_generate_ahead >= 0) AND (days_to_generate_ahead <= 365)))
);

CREATE VIEW recurring_order_details WITH (security_invoker='true') AS
 SELECT r.org_id,
    r.id,
    r.name,
    r.customer_id,
    r.order_type_id,
    r.vehicle_type_id,
    r.pickup_location_id,
    r.delivery_location_id,
    r.order_template,
    r.rruleset,
    r.start_date,
    r.end_date,
    r.days_to_generate_ahead,
    r.is_active,
    r.is_paused,
    r.version,
    r.applied_from,
    r.generated_count,
    r.generated_through,
    r.last_generated_at,
    r.next_run_at,
    r.last_error,
    r.created_at,
    r.updated_at,
    o.timezone,
    location_place(p.*) AS pickup_place,
    location_place(d.*) AS delivery_place,
    ( SELECT count(*) AS count
           FROM (recurring_occurrences c
             JOIN drafts x ON (((x.org_id = c.org_id) AND (x.external_id = c.number))))
          WHERE ((c.org_id = r.org_id) AND (c.recurring_order_id = r.id) AND (x.state = 'incomplete'::text))) AS draft_count,
    r.applied_to,
    r.announced
   FROM (((recurring_orders r
     JOIN organizations o ON ((o.id = r.org_id)))
     JOIN locations p ON (((p.org_id = r.org_id) AND (p.id = r.pickup_location_id))))
     JOIN locations d ON (((d.org_id = r.org_id) AND (d.id = r.delivery_location_id))));

ALTER TABLE recurring_orders ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME recurring_orders_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE refused_carrier_updates (
    org_id bigint NOT NULL,
    id bigint NOT NULL,
    carrier text NOT NULL,
    refused_at timestamp with time zone DEFAULT now() NOT NULL,
    reason text NOT NULL,
    field text DEFAULT ''::text NOT NULL,
    request_id text DEFAULT ''::text NOT NULL
);

ALTER TABLE refused_carrier_updates ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME refused_carrier_updates_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE regions (
    name text NOT NULL COLLATE pg_catalog."C",
    version text NOT NULL,
    west double precision NOT NULL,
    south double precision NOT NULL,
    east double precision NOT NULL,
    north double precision NOT NULL,
    fingerprint text NOT NULL,
    road_bytes bigint NOT NULL,
    tile_bytes bigint NOT NULL,
    attribution text NOT NULL,
    built_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT regions_bounds_check CHECK (((west < east) AND (south < north)))
);

CREATE TABLE relay_members (
    id uuid NOT NULL,
    name text NOT NULL,
    since timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    expires_at timestamp with time zone NOT NULL
);

CREATE TABLE relay_shards (
    shard smallint NOT NULL,
    holder uuid,
    term bigint DEFAULT 0 NOT NULL
);

CREATE TABLE resendings (
    org_id bigint NOT NULL,
    id bigint NOT NULL,
    state text DEFAULT 'RUNNING'::text NOT NULL,
    since timestamp with time zone NOT NULL,
    until timestamp with time zone NOT NULL,
    event text DEFAULT ''::text NOT NULL,
    channel text DEFAULT ''::text NOT NULL,
    failure text DEFAULT ''::text NOT NULL,
    provider text DEFAULT ''::text NOT NULL,
    dead_addresses boolean DEFAULT false NOT NULL,
    total bigint NOT NULL,
    sent bigint DEFAULT 0 NOT NULL,
    refused bigint DEFAULT 0 NOT NULL,
    done bigint DEFAULT 0 NOT NULL,
    begun bigint DEFAULT 0 NOT NULL,
    actor text NOT NULL,
    cause text NOT NULL,
    stopped_by text DEFAULT ''::text NOT NULL,
    started_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    ended_at timestamp with time zone,
    CONSTRAINT resendings_ended_check CHECK (((state = 'RUNNING'::text) = (ended_at IS NULL))),
    CONSTRAINT resendings_state_check CHECK ((state = ANY (ARRAY['RUNNING'::text, 'STOPPED'::text, 'COMPLETED'::text])))
);

ALTER TABLE resendings ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME resendings_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE roles (
    org_id bigint NOT NULL,
    id bigint NOT NULL,
    name text NOT NULL,
    base text NOT NULL,
    tags text[],
    is_builtin boolean DEFAULT false NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT roles_base_check CHECK ((base = ANY (ARRAY['admin'::text, 'dispatcher'::text, 'support'::text, 'driver'::text]))),
    CONSTRAINT roles_builtin_check CHECK ((is_builtin = (tags IS NULL)))
);

ALTER TABLE roles ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME roles_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE route_holds (
    org_id bigint NOT NULL,
    plan_id bigint NOT NULL,
    driver_id bigint NOT NULL,
    stops bigint[] NOT NULL,
    is_closed boolean NOT NULL,
    held_by text DEFAULT NULLIF(current_setting('app.actor'::text, true), ''::text) NOT NULL,
    held_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE sandbox_runs (
    org_id bigint NOT NULL,
    id bigint NOT NULL,
    day date NOT NULL,
    pace integer NOT NULL,
    incidents integer NOT NULL,
    state text NOT NULL,
    started_at timestamp with time zone DEFAULT now() NOT NULL,
    ended_at timestamp with time zone,
    clock_from timestamp with time zone,
    clock_since timestamp with time zone,
    trouble text DEFAULT 'NONE'::text NOT NULL,
    realistic boolean DEFAULT false NOT NULL,
    CONSTRAINT sandbox_runs_clock_check CHECK (((clock_from IS NULL) = (clock_since IS NULL))),
    CONSTRAINT sandbox_runs_ended_check CHECK (((state = 'RUNNING'::text) = (ended_at IS NULL))),
    CONSTRAINT sandbox_runs_incidents_check CHECK (((incidents >= 0) AND (incidents <= 100))),
    CONSTRAINT sandbox_runs_pace_check CHECK (((pace >= 1) AND (pace <= 10000))),
    CONSTRAINT sandbox_runs_state_check CHECK ((state = ANY (ARRAY['RUNNING'::text, 'DONE'::text, 'STOPPED'::text]))),
    CONSTRAINT sandbox_runs_trouble_check CHECK ((trouble = ANY (ARRAY['NONE'::text, 'USUAL'::text, 'MUCH'::text])))
);

ALTER TABLE sandbox_runs ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME sandbox_runs_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE schedule_holds (
    org_id bigint NOT NULL,
    id bigint NOT NULL,
    interval_id bigint NOT NULL,
    day date NOT NULL,
    ends_at timestamp with time zone NOT NULL
);

ALTER TABLE schedule_holds ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME schedule_holds_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE schedule_interval_days (
    org_id bigint NOT NULL,
    interval_id bigint NOT NULL,
    day date NOT NULL,
    booked integer NOT NULL,
    CONSTRAINT schedule_interval_days_booked_check CHECK ((booked >= 0))
)
WITH (fillfactor='50');

ALTER TABLE schedule_intervals ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME schedule_intervals_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE schema_compatibility (
    singleton boolean DEFAULT true NOT NULL,
    oldest_program bigint NOT NULL,
    CONSTRAINT schema_compatibility_singleton_check CHECK (singleton)
);

COMMENT ON TABLE schema_compatibility IS 'Which programs work with this schema.';

COMMENT ON COLUMN schema_compatibility.oldest_program IS 'The latest migration that the oldest of them knows.';

CREATE TABLE schema_definitions (
    name text NOT NULL,
    hash text NOT NULL,
    applied_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);

COMMENT ON TABLE schema_definitions IS 'Which texts of functions, views and triggers were applied, and when last.';

COMMENT ON COLUMN schema_definitions.name IS 'What the definition creates, as "VIEW v1_orders".';

COMMENT ON COLUMN schema_definitions.hash IS 'The SHA-256 of its file, in hexadecimal.';

CREATE TABLE sessions (
    org_id bigint NOT NULL,
    id bigint NOT NULL,
    kind text NOT NULL,
    public_part text NOT NULL,
    hash bytea NOT NULL,
    user_id bigint,
    driver_id bigint,
    name text DEFAULT ''::text NOT NULL,
    signed_in_at timestamp with time zone,
    created_at timestamp with time zone NOT NULL,
    last_used_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    idle_seconds integer,
    ended_at timestamp with time zone,
    app_release text,
    storage_kept boolean,
    CONSTRAINT sessions_kind_check CHECK ((kind = ANY (ARRAY['browser'::text, 'device'::text, 'token'::text]))),
    CONSTRAINT sessions_owner_check CHECK ((((user_id IS NULL) = (kind = 'device'::text)) AND ((driver_id IS NULL) = (kind <> 'device'::text))))
);

ALTER TABLE sessions ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME sessions_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE sign_in_challenges (
    id bytea NOT NULL,
    purpose text NOT NULL,
    data jsonb NOT NULL,
    tries_left smallint DEFAULT 1 NOT NULL,
    expires_at timestamp with time zone NOT NULL
);

CREATE TABLE sign_in_failures (
    subject bytea NOT NULL,
    failures integer NOT NULL,
    next_try_at timestamp with time zone NOT NULL
);

CREATE TABLE signing_keys (
    purpose text NOT NULL,
    key bytea NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE skills (
    org_id bigint NOT NULL,
    id bigint NOT NULL,
    name text NOT NULL,
    is_active boolean DEFAULT true NOT NULL,
    source text DEFAULT source_of_caller() NOT NULL,
    for_two boolean DEFAULT false NOT NULL,
    CONSTRAINT skills_source_check CHECK ((source = ANY (ARRAY['document'::text, 'console'::text, 'api'::text, 'import'::text])))
);

ALTER TABLE skills ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME skills_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE sscc_counters (
    org_id bigint NOT NULL,
    drawn bigint NOT NULL,
    CONSTRAINT sscc_counters_drawn_check CHECK ((drawn >= 0))
);

CREATE TABLE stop_approaches (
    org_id bigint NOT NULL,
    order_id bigint NOT NULL,
    kind text NOT NULL,
    day date NOT NULL,
    driver_id bigint NOT NULL,
    told_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE stop_contacts (
    org_id bigint NOT NULL,
    id bigint NOT NULL,
    stop_id bigint NOT NULL,
    seq smallint NOT NULL,
    first_name text,
    last_name text,
    phone_number text,
    email_address text
);
ALTER TABLE ONLY stop_contacts ALTER COLUMN org_id SET STATISTICS 0;

ALTER TABLE stop_contacts ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME stop_contacts_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE stop_skills (
    org_id bigint NOT NULL,
    stop_id bigint NOT NULL,
    skill_id bigint NOT NULL,
    type text NOT NULL,
    CONSTRAINT stop_skills_type_check CHECK ((type = ANY (ARRAY['REQUIRED'::text, 'PROHIBITED'::text])))
);
ALTER TABLE ONLY stop_skills ALTER COLUMN org_id SET STATISTICS 0;

CREATE TABLE streets (
    id bigint NOT NULL,
    points_id bigint NOT NULL,
    source_id bigint NOT NULL,
    country text NOT NULL COLLATE pg_catalog."C",
    postal_code text NOT NULL COLLATE pg_catalog."C",
    city text NOT NULL,
    town_key text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL,
    second_name text NOT NULL,
    plain text NOT NULL COLLATE pg_catalog."C",
    key text NOT NULL COLLATE pg_catalog."C",
    plain_letters bigint NOT NULL,
    key_letters bigint NOT NULL,
    deletions integer[] NOT NULL,
    addresses bigint NOT NULL,
    latitude double precision NOT NULL,
    longitude double precision NOT NULL
);

CREATE TABLE suppressions (
    org_id bigint NOT NULL,
    channel text NOT NULL,
    address text NOT NULL,
    reason text NOT NULL,
    notification_id bigint,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT suppressions_channel_check CHECK ((channel = ANY (ARRAY['EMAIL'::text, 'SMS'::text])))
);

CREATE TABLE totp_seeds (
    org_id bigint NOT NULL,
    user_id bigint NOT NULL,
    seed bytea NOT NULL,
    confirmed_at timestamp with time zone,
    last_step bigint DEFAULT 0 NOT NULL
);

CREATE TABLE towns (
    source_id bigint NOT NULL,
    country text NOT NULL COLLATE pg_catalog."C",
    postal_code text NOT NULL COLLATE pg_catalog."C",
    town_key text NOT NULL COLLATE pg_catalog."C",
    city text NOT NULL,
    key_letters bigint NOT NULL,
    addresses bigint NOT NULL,
    latitude double precision NOT NULL,
    longitude double precision NOT NULL
);

CREATE TABLE tracking_links (
    org_id bigint NOT NULL,
    code text NOT NULL,
    order_id bigint NOT NULL,
    stop_id bigint NOT NULL,
    link text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    revoked_at timestamp with time zone,
    number text
);

CREATE TABLE transformation_rules (
    org_id bigint NOT NULL,
    id bigint NOT NULL,
    name text NOT NULL,
    triggers text[] NOT NULL,
    condition text,
    assignments jsonb NOT NULL,
    run_order integer DEFAULT 0 NOT NULL,
    seq integer DEFAULT 0 NOT NULL,
    is_active boolean DEFAULT true NOT NULL,
    source text DEFAULT source_of_caller() NOT NULL,
    CONSTRAINT transformation_rules_source_check CHECK ((source = ANY (ARRAY['document'::text, 'console'::text, 'api'::text, 'import'::text])))
);

ALTER TABLE transformation_rules ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME transformation_rules_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE travel_block_cells (
    org_id bigint NOT NULL,
    block_id bigint NOT NULL,
    cell bigint NOT NULL,
    sides smallint NOT NULL,
    CONSTRAINT travel_block_cells_sides_check CHECK (((sides >= 1) AND (sides <= 3)))
);

CREATE TABLE travel_blocks (
    org_id bigint NOT NULL,
    id bigint NOT NULL,
    provider text NOT NULL,
    profile text NOT NULL,
    version text NOT NULL,
    from_cells bigint[] NOT NULL,
    to_cells bigint[] NOT NULL,
    from_meters bigint[] NOT NULL,
    to_meters bigint[] NOT NULL,
    legs bytea NOT NULL,
    corrected boolean DEFAULT false NOT NULL,
    found_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT travel_blocks_legs_check CHECK ((octet_length(legs) = ((8 * cardinality(from_cells)) * cardinality(to_cells))))
);
ALTER TABLE ONLY travel_blocks ALTER COLUMN legs SET STORAGE EXTERNAL;

ALTER TABLE travel_blocks ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME travel_blocks_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE travel_legs (
    org_id bigint NOT NULL,
    provider text NOT NULL,
    profile text NOT NULL,
    from_cell bigint NOT NULL,
    to_cell bigint NOT NULL,
    seconds integer NOT NULL,
    meters integer NOT NULL,
    found_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT travel_legs_meters_check CHECK ((meters >= 0)),
    CONSTRAINT travel_legs_seconds_check CHECK ((seconds >= 0))
);

CREATE TABLE travel_proposals (
    org_id bigint NOT NULL,
    id bigint NOT NULL,
    state text DEFAULT 'OPEN'::text NOT NULL,
    hours jsonb NOT NULL,
    legs bigint NOT NULL,
    days bigint NOT NULL,
    trial_legs bigint NOT NULL,
    trial_days bigint NOT NULL,
    before_seconds bigint NOT NULL,
    after_seconds bigint NOT NULL,
    proposed_at timestamp with time zone DEFAULT now() NOT NULL,
    decided_at timestamp with time zone,
    decided_by text,
    kind text DEFAULT 'HOURS'::text NOT NULL,
    visits jsonb DEFAULT '[]'::jsonb NOT NULL,
    drivers jsonb DEFAULT '[]'::jsonb NOT NULL,
    CONSTRAINT travel_proposals_kind_check CHECK ((kind = ANY (ARRAY['HOURS'::text, 'VISITS'::text, 'DRIVERS'::text]))),
    CONSTRAINT travel_proposals_state_check CHECK ((state = ANY (ARRAY['OPEN'::text, 'ACCEPTED'::text, 'DISMISSED'::text, 'REPLACED'::text])))
);

ALTER TABLE travel_proposals ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME travel_proposals_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE travel_ways (
    org_id bigint NOT NULL,
    provider text NOT NULL,
    profile text NOT NULL,
    from_place bigint NOT NULL,
    to_place bigint NOT NULL,
    polyline text,
    seconds integer NOT NULL,
    meters integer NOT NULL,
    version text DEFAULT ''::text NOT NULL,
    found_at timestamp with time zone DEFAULT now() NOT NULL,
    table_seconds bigint,
    CONSTRAINT travel_ways_meters_check CHECK ((meters >= 0)),
    CONSTRAINT travel_ways_polyline_check CHECK (((octet_length(polyline) >= 1) AND (octet_length(polyline) <= 65536))),
    CONSTRAINT travel_ways_seconds_check CHECK ((seconds >= 0))
);

CREATE TABLE user_roles (
    org_id bigint NOT NULL,
    user_id bigint NOT NULL,
    role_id bigint NOT NULL
);

CREATE TABLE users (
    org_id bigint NOT NULL,
    id bigint NOT NULL,
    email text NOT NULL,
    name text NOT NULL,
    language text,
    driver_id bigint,
    department_id bigint,
    state text DEFAULT 'invited'::text NOT NULL,
    passphrase text,
    source text NOT NULL,
    invited_at timestamp with time zone,
    last_seen_at timestamp with time zone,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT users_language_check CHECK ((language = ANY (ARRAY['nb'::text, 'en'::text, 'da'::text]))),
    CONSTRAINT users_source_check CHECK ((source = ANY (ARRAY['document'::text, 'console'::text, 'api'::text]))),
    CONSTRAINT users_state_check CHECK ((state = ANY (ARRAY['invited'::text, 'active'::text, 'disabled'::text])))
);

ALTER TABLE users ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME users_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE VIEW v1_calendars WITH (security_invoker='true') AS
 SELECT calendars.org_id,
    calendars.id,
    0 AS place,
    calendars.is_active,
    jsonb_build_object('id', calendars.id, 'name', calendars.name, 'closed', calendars.closed, 'is_active', calendars.is_active, 'source', calendars.source) AS document
   FROM calendars;

CREATE VIEW v1_customers WITH (security_invoker='true') AS
 SELECT c.org_id,
    c.id,
    c.external_id,
    c.business_name,
    jsonb_build_object('customer_id', c.id, 'external_id', c.external_id, 'business_name', c.business_name, 'department_id', c.department_id, 'email_address', c.email_address, 'phone_number', c.phone_number, 'calendar_id', c.calendar_id, 'is_active', c.is_active, 'source', c.source, 'created_at', iso_utc(c.created_at), 'updated_at', iso_utc(c.updated_at)) AS document,
    0 AS place,
    c.is_active
   FROM customers c;

CREATE VIEW v1_departments WITH (security_invoker='true') AS
 SELECT departments.org_id,
    departments.id,
    0 AS place,
    departments.is_active,
    jsonb_build_object('id', departments.id, 'name', departments.name, 'is_active', departments.is_active, 'loading_minutes', departments.loading_minutes, 'release_at', to_char(make_interval(mins => (departments.release_minute)::integer), 'HH24:MI'::text), 'release_days_before', departments.release_days_before, 'release_threshold_minutes', departments.release_threshold_minutes, 'calendar_id', departments.calendar_id, 'source', departments.source) AS document
   FROM departments;

CREATE VIEW v1_freight_levels WITH (security_invoker='true') AS
 SELECT freight_levels.org_id,
    freight_levels.id,
    freight_levels.seq AS place,
    freight_levels.is_active,
    jsonb_build_object('id', freight_levels.id, 'name', freight_levels.name, 'position', freight_levels.seq, 'max_weight_kg', freight_levels.max_weight_kg, 'max_volume_m3', freight_levels.max_volume_m3, 'max_colli', freight_levels.max_colli, 'is_active', freight_levels.is_active, 'source', freight_levels.source) AS document
   FROM freight_levels;

CREATE VIEW v1_groups WITH (security_invoker='true') AS
 SELECT order_groups.org_id,
    order_groups.id,
    0 AS place,
    order_groups.is_active,
    jsonb_build_object('id', order_groups.id, 'name', order_groups.name, 'is_active', order_groups.is_active, 'source', order_groups.source) AS document
   FROM order_groups;

CREATE VIEW v1_locations WITH (security_invoker='true') AS
 SELECT l.org_id,
    l.id,
    l.external_id,
    l.name,
    jsonb_build_object('location_id', l.id, 'external_id', l.external_id, 'name', l.name, 'address', jsonb_build_object('address1', l.address1, 'address2', l.address2, 'postal_code', l.postal_code, 'city', l.city, 'state', l.state, 'country', l.country, 'latitude', l.latitude, 'longitude', l.longitude), 'opens', clock_text(l.opens), 'closes', clock_text(l.closes), 'use_opening_hours_as_default', l.use_opening_hours_as_default, 'time_windows', ( SELECT COALESCE(jsonb_agg(jsonb_build_object('rrule', w.rrule, 'opens', clock_text(w.opens), 'closes', clock_text(w.closes)) ORDER BY w.seq), '[]'::jsonb) AS "coalesce"
           FROM location_time_windows w
          WHERE ((w.org_id = l.org_id) AND (w.location_id = l.id))), 'estimated_time_on_location', l.estimated_time_on_location, 'service_time', l.service_time, 'pauses', COALESCE(l.pauses, '[]'::jsonb), 'curbside', l.curbside, 'calendar_id', l.calendar_id, 'created_at', iso_utc(l.created_at), 'updated_at', iso_utc(l.updated_at), 'position',
        CASE
            WHEN ((l.latitude IS NOT NULL) AND (l.longitude IS NOT NULL)) THEN jsonb_build_object('latitude', l.latitude, 'longitude', l.longitude, 'precision', 'GIVEN', 'source', 'LOCATION')
            ELSE COALESCE(l."position", '{"precision": "UNKNOWN"}'::jsonb)
        END) AS document
   FROM locations l
  WHERE (l.deleted_at IS NULL);

CREATE VIEW v1_notification_rules WITH (security_invoker='true') AS
 SELECT notification_rules.org_id,
    notification_rules.id,
    0 AS place,
    notification_rules.is_active,
    jsonb_build_object('id', notification_rules.id, 'event', notification_rules.event, 'channel', notification_rules.channel, 'receiver', notification_rules.receiver, 'address', NULLIF(notification_rules.address, ''::text), 'subject', NULLIF(notification_rules.subject, ''::text), 'body', NULLIF(notification_rules.body, ''::text), 'body_html', NULLIF(notification_rules.body_html, ''::text), 'send_from', to_char(make_interval(mins => (notification_rules.window_from)::integer), 'HH24:MI'::text), 'send_until', to_char(make_interval(mins => (notification_rules.window_to)::integer), 'HH24:MI'::text), 'series', notification_rules.series, 'days_ahead', notification_rules.days_ahead, 'is_active', notification_rules.is_active, 'source', notification_rules.source) AS document
   FROM notification_rules;

CREATE VIEW v1_order_statuses WITH (security_invoker='true') AS
 SELECT o.id AS org_id,
    (s.id)::bigint AS id,
    0 AS place,
    (s.id <= 5) AS is_active,
    jsonb_build_object('id', s.id, 'name', s.name, 'is_active', (s.id <= 5)) AS document
   FROM (organizations o
     CROSS JOIN order_statuses s);

CREATE VIEW v1_order_types WITH (security_invoker='true') AS
 SELECT order_types.org_id,
    order_types.id,
    0 AS place,
    order_types.is_active,
    jsonb_build_object('id', order_types.id, 'name', order_types.name, 'priority', order_types.priority, 'ready_from', clock_text(order_types.ready_from), 'pick_up_before', clock_text(order_types.pick_up_before), 'deliver_before', clock_text(order_types.deliver_before), 'min_book_ahead_minutes', order_types.min_book_ahead_minutes, 'max_book_ahead_minutes', order_types.max_book_ahead_minutes, 'export_carrier', order_types.export_carrier, 'proof', order_types.proof, 'service_time', order_types.service_time, 'is_active', order_types.is_active, 'source', order_types.source) AS document
   FROM order_types;

CREATE VIEW v1_price_lists WITH (security_invoker='true') AS
 SELECT l.org_id,
    l.id,
    l.seq AS place,
    l.is_active,
    jsonb_build_object('id', l.id, 'name', l.name, 'position', l.seq, 'currency', l.currency, 'minimum_price', (l.minimum_price)::text, 'order_type_ids', COALESCE(( SELECT jsonb_agg(o.order_type_id ORDER BY o.order_type_id) AS jsonb_agg
           FROM price_list_order_types o
          WHERE ((o.org_id = l.org_id) AND (o.price_list_id = l.id))), '[]'::jsonb), 'prices', COALESCE(( SELECT jsonb_agg(jsonb_build_object('from_zone_id', p.from_zone_id, 'to_zone_id', p.to_zone_id, 'freight_level_id', p.freight_level_id, 'base', (p.base)::text, 'per_kg', (p.per_kg)::text, 'per_colli', (p.per_colli)::text) ORDER BY p.seq) AS jsonb_agg
           FROM price_list_lines p
          WHERE ((p.org_id = l.org_id) AND (p.price_list_id = l.id))), '[]'::jsonb), 'is_active', l.is_active, 'source', l.source) AS document
   FROM price_lists l;

CREATE VIEW v1_products WITH (security_invoker='true') AS
 SELECT p.org_id,
    p.id,
    0 AS place,
    p.is_active,
    jsonb_build_object('id', p.id, 'external_id', p.external_id, 'name', p.name, 'barcode_id', p.barcode_id, 'weight', p.weight, 'length', p.length, 'width', p.width, 'height', p.height, 'atom_type', p.atom_type, 'skills', COALESCE(( SELECT jsonb_agg(s.name ORDER BY (lower(s.name))) AS jsonb_agg
           FROM (product_skills k
             JOIN skills s ON (((s.org_id = k.org_id) AND (s.id = k.skill_id))))
          WHERE ((k.org_id = p.org_id) AND (k.product_id = p.id))), '[]'::jsonb), 'units', COALESCE(( SELECT jsonb_agg(jsonb_build_object('name', u.name, 'quantity', u.quantity, 'barcode_id', u.barcode_id) ORDER BY u.seq) AS jsonb_agg
           FROM product_units u
          WHERE ((u.org_id = p.org_id) AND (u.product_id = p.id))), '[]'::jsonb), 'is_active', p.is_active, 'source', p.source, 'created_at', iso_utc(p.created_at), 'updated_at', iso_utc(p.updated_at)) AS document
   FROM products p;

CREATE VIEW v1_skills WITH (security_invoker='true') AS
 SELECT skills.org_id,
    skills.id,
    0 AS place,
    skills.is_active,
    jsonb_build_object('id', skills.id, 'name', skills.name, 'is_active', skills.is_active, 'source', skills.source, 'for_two', skills.for_two) AS document
   FROM skills;

CREATE TABLE vehicle_type_also_serves (
    org_id bigint NOT NULL,
    vehicle_type_id bigint NOT NULL,
    served_type_id bigint NOT NULL,
    CONSTRAINT vehicle_type_also_serves_other_check CHECK ((vehicle_type_id <> served_type_id))
);

CREATE VIEW v1_vehicle_types WITH (security_invoker='true') AS
 SELECT t.org_id,
    t.id,
    0 AS place,
    t.is_active,
    jsonb_build_object('id', t.id, 'name', t.name, 'max_weight_kg', t.max_weight_kg, 'max_volume_m3', t.max_volume_m3, 'max_route_km', t.max_route_km, 'max_stops', t.max_stops, 'max_driving_minutes', t.max_driving_minutes, 'max_loads', COALESCE(t.max_loads, '[]'::jsonb), 'driving_rule', t.driving_rule, 'extra_setup_seconds', t.extra_setup_seconds, 'travels_as', t.travels_as, 'also_serves', COALESCE(( SELECT jsonb_agg(s.served_type_id ORDER BY s.served_type_id) AS jsonb_agg
           FROM vehicle_type_also_serves s
          WHERE ((s.org_id = t.org_id) AND (s.vehicle_type_id = t.id))), '[]'::jsonb), 'height_m', t.height_m, 'width_m', t.width_m, 'length_m', t.length_m, 'gross_weight_kg', t.gross_weight_kg, 'axle_load_kg', t.axle_load_kg, 'top_speed_kmh', t.top_speed_kmh, 'hazardous_goods', t.hazardous_goods, 'avoids_ferries', t.avoids_ferries, 'avoids_tolls', t.avoids_tolls, 'cost_per_shift', t.cost_per_shift, 'cost_per_hour', t.cost_per_hour, 'cost_per_km', t.cost_per_km, 'is_active', t.is_active, 'source', t.source) AS document
   FROM vehicle_types t;

CREATE TABLE vehicle_skills (
    org_id bigint NOT NULL,
    vehicle_id bigint NOT NULL,
    skill_id bigint NOT NULL
);

CREATE TABLE vehicles (
    org_id bigint NOT NULL,
    id bigint NOT NULL,
    registration text NOT NULL,
    name text,
    vehicle_type_id bigint NOT NULL,
    max_weight_kg numeric,
    max_volume_m3 numeric,
    max_route_km numeric,
    home_location_id bigint,
    is_active boolean DEFAULT true NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    source text DEFAULT source_of_caller() NOT NULL,
    max_loads jsonb,
    CONSTRAINT vehicles_max_route_km_check CHECK ((max_route_km > (0)::numeric)),
    CONSTRAINT vehicles_max_volume_m3_check CHECK ((max_volume_m3 >= (0)::numeric)),
    CONSTRAINT vehicles_max_weight_kg_check CHECK ((max_weight_kg >= (0)::numeric)),
    CONSTRAINT vehicles_source_check CHECK ((source = ANY (ARRAY['document'::text, 'console'::text, 'api'::text, 'import'::text])))
);

CREATE VIEW v1_vehicles WITH (security_invoker='true') AS
 SELECT v.org_id,
    v.id,
    0 AS place,
    v.is_active,
    jsonb_build_object('id', v.id, 'registration', v.registration, 'name', v.name, 'vehicle_type', jsonb_build_object('id', t.id, 'name', t.name), 'max_weight_kg', COALESCE(v.max_weight_kg, t.max_weight_kg), 'max_volume_m3', COALESCE(v.max_volume_m3, t.max_volume_m3), 'max_route_km', COALESCE(v.max_route_km, t.max_route_km), 'max_loads', vehicle_loads(v.max_loads, t.max_loads), 'own_limits', jsonb_build_object('max_weight_kg', v.max_weight_kg, 'max_volume_m3', v.max_volume_m3, 'max_route_km', v.max_route_km, 'max_loads', COALESCE(v.max_loads, '[]'::jsonb)), 'home_location_id', v.home_location_id, 'skills', COALESCE(( SELECT jsonb_agg(s.name ORDER BY (lower(s.name))) AS jsonb_agg
           FROM (vehicle_skills k
             JOIN skills s ON (((s.org_id = k.org_id) AND (s.id = k.skill_id))))
          WHERE ((k.org_id = v.org_id) AND (k.vehicle_id = v.id))), '[]'::jsonb), 'is_active', v.is_active, 'source', v.source, 'created_at', iso_utc(v.created_at), 'updated_at', iso_utc(v.updated_at)) AS document
   FROM (vehicles v
     JOIN vehicle_types t ON (((t.org_id = v.org_id) AND (t.id = v.vehicle_type_id))));

CREATE VIEW v1_zones WITH (security_invoker='true') AS
 SELECT zones.org_id,
    zones.id,
    0 AS place,
    zones.is_active,
    jsonb_build_object('id', zones.id, 'name', zones.name, 'areas', zones.areas, 'is_active', zones.is_active, 'source', zones.source) AS document
   FROM zones;

CREATE VIEW v1_master_data WITH (security_invoker='true') AS
 SELECT 'department'::text AS kind,
    d.org_id,
    d.id,
    d.place,
    d.is_active,
    d.document
   FROM v1_departments d
UNION ALL
 SELECT 'group'::text AS kind,
    g.org_id,
    g.id,
    g.place,
    g.is_active,
    g.document
   FROM v1_groups g
UNION ALL
 SELECT 'skill'::text AS kind,
    s.org_id,
    s.id,
    s.place,
    s.is_active,
    s.document
   FROM v1_skills s
UNION ALL
 SELECT 'vehicle_type'::text AS kind,
    v.org_id,
    v.id,
    v.place,
    v.is_active,
    v.document
   FROM v1_vehicle_types v
UNION ALL
 SELECT 'order_type'::text AS kind,
    t.org_id,
    t.id,
    t.place,
    t.is_active,
    t.document
   FROM v1_order_types t
UNION ALL
 SELECT 'zone'::text AS kind,
    z.org_id,
    z.id,
    z.place,
    z.is_active,
    z.document
   FROM v1_zones z
UNION ALL
 SELECT 'freight_level'::text AS kind,
    l.org_id,
    l.id,
    l.place,
    l.is_active,
    l.document
   FROM v1_freight_levels l
UNION ALL
 SELECT 'order_status'::text AS kind,
    o.org_id,
    o.id,
    o.place,
    o.is_active,
    o.document
   FROM v1_order_statuses o
UNION ALL
 SELECT 'customer'::text AS kind,
    c.org_id,
    c.id,
    c.place,
    c.is_active,
    c.document
   FROM v1_customers c
UNION ALL
 SELECT 'vehicle'::text AS kind,
    e.org_id,
    e.id,
    e.place,
    e.is_active,
    e.document
   FROM v1_vehicles e
UNION ALL
 SELECT 'product'::text AS kind,
    p.org_id,
    p.id,
    p.place,
    p.is_active,
    p.document
   FROM v1_products p
UNION ALL
 SELECT 'price_list'::text AS kind,
    r.org_id,
    r.id,
    r.place,
    r.is_active,
    r.document
   FROM v1_price_lists r
UNION ALL
 SELECT 'notification_rule'::text AS kind,
    n.org_id,
    n.id,
    n.place,
    n.is_active,
    n.document
   FROM v1_notification_rules n
UNION ALL
 SELECT 'calendar'::text AS kind,
    k.org_id,
    k.id,
    k.place,
    k.is_active,
    k.document
   FROM v1_calendars k;

CREATE VIEW v1_organization WITH (security_invoker='true') AS
 SELECT organizations.id AS org_id,
    jsonb_build_object('id', organizations.id, 'slug', organizations.slug, 'name', organizations.name, 'timezone', organizations.timezone, 'language', organizations.language, 'allow_merge', organizations.allow_merge, 'reexport', organizations.reexport, 'sandbox', organizations.sandbox, 'office_phone', organizations.office_phone, 'proof', organizations.proof, 'loading_minutes', organizations.loading_minutes, 'goods_apart', COALESCE(organizations.goods_apart, '[]'::jsonb), 'load_dimensions', COALESCE(organizations.load_dimensions, '[]'::jsonb), 'max_stops', organizations.max_stops, 'max_driving_minutes', organizations.max_driving_minutes, 'costs', organizations.costs, 'rush_hours', COALESCE(organizations.rush_hours, '[]'::jsonb), 'recipient_page', organizations.recipient_page, 'updated_at', iso_utc(organizations.updated_at)) AS document
   FROM organizations;

CREATE VIEW v2_order_types WITH (security_invoker='true') AS
 SELECT t.org_id,
    t.id,
    t.name,
    t.priority,
    clock_text(t.ready_from) AS ready_from,
    clock_text(t.pick_up_before) AS pick_up_before,
    clock_text(t.deliver_before) AS deliver_before,
    t.is_active,
    t.min_book_ahead_minutes,
    t.max_book_ahead_minutes
   FROM order_types t;

ALTER TABLE vehicle_types ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME vehicle_types_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

ALTER TABLE vehicles ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME vehicles_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE webhook_attempts (
    org_id bigint NOT NULL,
    endpoint_id bigint NOT NULL,
    id bigint NOT NULL,
    "position" bigint NOT NULL,
    place bigint NOT NULL,
    test text,
    kind text NOT NULL,
    number integer NOT NULL,
    at timestamp with time zone NOT NULL,
    duration_ms integer NOT NULL,
    delivered boolean NOT NULL,
    status integer,
    fault text,
    answer text,
    CONSTRAINT webhook_attempts_delivered_check CHECK ((delivered = (fault IS NULL))),
    CONSTRAINT webhook_attempts_fault_check CHECK ((fault = ANY (ARRAY['STATUS'::text, 'TIMEOUT'::text, 'CONNECTION'::text, 'DNS'::text, 'TLS'::text, 'ADDRESS'::text])))
);

ALTER TABLE webhook_attempts ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME webhook_attempts_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE webhook_deliveries (
    org_id bigint NOT NULL,
    endpoint_id bigint NOT NULL,
    "position" bigint NOT NULL,
    place bigint NOT NULL,
    first_at timestamp with time zone NOT NULL,
    attempts integer NOT NULL,
    earlier integer DEFAULT 0 NOT NULL,
    next_at timestamp with time zone,
    gave_up_at timestamp with time zone,
    CONSTRAINT webhook_deliveries_gave_up_check CHECK (((next_at IS NULL) = (gave_up_at IS NOT NULL)))
);

CREATE TABLE webhook_endpoints (
    org_id bigint NOT NULL,
    id bigint NOT NULL,
    url text NOT NULL,
    description text DEFAULT ''::text NOT NULL,
    kinds text[] DEFAULT '{}'::text[] NOT NULL,
    sealed_secret bytea NOT NULL,
    sealed_previous bytea,
    previous_until timestamp with time zone,
    is_active boolean DEFAULT true NOT NULL,
    off_reason text,
    off_at timestamp with time zone,
    "position" bigint NOT NULL,
    place bigint DEFAULT '9223372036854775807'::bigint NOT NULL,
    failing_since timestamp with time zone,
    failures integer DEFAULT 0 NOT NULL,
    rests integer DEFAULT 0 NOT NULL,
    resting_until timestamp with time zone,
    delivered_at timestamp with time zone,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    deleted_at timestamp with time zone,
    CONSTRAINT webhook_endpoints_off_check CHECK (((is_active = (off_at IS NULL)) AND (is_active = (off_reason IS NULL)))),
    CONSTRAINT webhook_endpoints_off_reason_check CHECK ((off_reason = ANY (ARRAY['BY_CALLER'::text, 'FAILING'::text, 'GONE'::text]))),
    CONSTRAINT webhook_endpoints_previous_check CHECK (((sealed_previous IS NULL) = (previous_until IS NULL)))
);

ALTER TABLE webhook_endpoints ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME webhook_endpoints_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

ALTER TABLE zones ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME zones_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

ALTER TABLE ONLY events ATTACH PARTITION events_default DEFAULT;

ALTER TABLE ONLY events ALTER COLUMN id SET DEFAULT nextval('events_id_seq'::regclass);

ALTER TABLE ONLY account_codes
    ADD CONSTRAINT account_codes_pkey PRIMARY KEY (org_id, id);

ALTER TABLE ONLY account_codes
    ADD CONSTRAINT account_codes_public_part_key UNIQUE (public_part);

ALTER TABLE ONLY address_points
    ADD CONSTRAINT address_points_pkey PRIMARY KEY (street_id, number, letter);

ALTER TABLE ONLY alert_rules
    ADD CONSTRAINT alert_rules_pkey PRIMARY KEY (org_id, id);

ALTER TABLE ONLY alerts
    ADD CONSTRAINT alerts_pkey PRIMARY KEY (org_id, id);

ALTER TABLE ONLY api_keys
    ADD CONSTRAINT api_keys_pkey PRIMARY KEY (org_id, id);

ALTER TABLE ONLY api_keys
    ADD CONSTRAINT api_keys_public_part_key UNIQUE (public_part);

ALTER TABLE ONLY archived_proofs
    ADD CONSTRAINT archived_proofs_pkey PRIMARY KEY (org_id, seq);

ALTER TABLE ONLY bookings
    ADD CONSTRAINT bookings_order_key UNIQUE (org_id, order_id);

ALTER TABLE ONLY bookings
    ADD CONSTRAINT bookings_pkey PRIMARY KEY (org_id, id);

ALTER TABLE ONLY calendars
    ADD CONSTRAINT calendars_pkey PRIMARY KEY (org_id, id);

ALTER TABLE ONLY cargo_carrier_accounts
    ADD CONSTRAINT cargo_carrier_accounts_pkey PRIMARY KEY (org_id, id);

ALTER TABLE ONLY cargo_carrier_movements
    ADD CONSTRAINT cargo_carrier_movements_pkey PRIMARY KEY (org_id, id);

ALTER TABLE ONLY cargo_carrier_movements
    ADD CONSTRAINT cargo_carrier_movements_reverses_key UNIQUE (org_id, reverses);

ALTER TABLE ONLY cargo_carriers
    ADD CONSTRAINT cargo_carriers_code_key UNIQUE (org_id, code);

ALTER TABLE ONLY cargo_carriers
    ADD CONSTRAINT cargo_carriers_pkey PRIMARY KEY (org_id, id);

ALTER TABLE ONLY carriers
    ADD CONSTRAINT carriers_pkey PRIMARY KEY (org_id, name);

ALTER TABLE ONLY completion_proof_images
    ADD CONSTRAINT completion_proof_images_pkey PRIMARY KEY (org_id, proof_id, seq);

ALTER TABLE ONLY completion_proofs
    ADD CONSTRAINT completion_proofs_action_key UNIQUE (org_id, action_id);

ALTER TABLE ONLY completion_proofs
    ADD CONSTRAINT completion_proofs_pkey PRIMARY KEY (org_id, id);

ALTER TABLE ONLY completion_proofs
    ADD CONSTRAINT completion_proofs_seq_key UNIQUE (org_id, seq);

ALTER TABLE ONLY custom_field_definitions
    ADD CONSTRAINT custom_field_definitions_external_id_key UNIQUE (org_id, external_id);

ALTER TABLE ONLY custom_field_definitions
    ADD CONSTRAINT custom_field_definitions_pkey PRIMARY KEY (org_id, id);

ALTER TABLE ONLY custom_field_values
    ADD CONSTRAINT custom_field_values_pkey PRIMARY KEY (org_id, order_id, definition_id);

ALTER TABLE ONLY customer_prohibited_drivers
    ADD CONSTRAINT customer_prohibited_drivers_pkey PRIMARY KEY (org_id, driver_id, customer_id);

ALTER TABLE ONLY customers
    ADD CONSTRAINT customers_external_id_key UNIQUE (org_id, external_id);

ALTER TABLE ONLY customers
    ADD CONSTRAINT customers_pkey PRIMARY KEY (org_id, id);

ALTER TABLE ONLY delivery_promises
    ADD CONSTRAINT delivery_promises_pkey PRIMARY KEY (org_id, order_id, kind);

ALTER TABLE ONLY departments
    ADD CONSTRAINT departments_pkey PRIMARY KEY (org_id, id);

ALTER TABLE ONLY documents
    ADD CONSTRAINT documents_pkey PRIMARY KEY (org_id, id);

ALTER TABLE ONLY draft_documents
    ADD CONSTRAINT draft_documents_pkey PRIMARY KEY (org_id, draft_id, document_id);

ALTER TABLE ONLY drafts
    ADD CONSTRAINT drafts_external_id_key UNIQUE (org_id, external_id);

ALTER TABLE ONLY drafts
    ADD CONSTRAINT drafts_pkey PRIMARY KEY (org_id, id);

ALTER TABLE ONLY driven_legs
    ADD CONSTRAINT driven_legs_pkey PRIMARY KEY (org_id, driver_id, day, from_at);

ALTER TABLE ONLY driver_actions
    ADD CONSTRAINT driver_actions_pkey PRIMARY KEY (org_id, id);

ALTER TABLE driver_actions
    ADD CONSTRAINT driver_actions_type_check CHECK ((type = ANY (ARRAY['START_ROUTE'::text, 'ARRIVE'::text, 'PICK_UP'::text, 'REPORT_MISSING'::text, 'DELIVER'::text, 'FAIL'::text, 'UNDO'::text, 'SCAN'::text, 'NOTE'::text, 'EXCHANGE_CARGO_CARRIERS'::text, 'REPORT_WRONG_PIN'::text, 'END_ROUTE'::text]))) NOT VALID;

ALTER TABLE ONLY driver_days
    ADD CONSTRAINT driver_days_pkey PRIMARY KEY (org_id, driver_id, day);

ALTER TABLE ONLY driver_messages
    ADD CONSTRAINT driver_messages_pkey PRIMARY KEY (org_id, id);

ALTER TABLE ONLY driver_positions
    ADD CONSTRAINT driver_positions_pkey PRIMARY KEY (org_id, driver_id, at);

ALTER TABLE ONLY driver_skills
    ADD CONSTRAINT driver_skills_pkey PRIMARY KEY (org_id, driver_id, skill_id);

ALTER TABLE ONLY driver_whereabouts
    ADD CONSTRAINT driver_whereabouts_pkey PRIMARY KEY (org_id, driver_id);

ALTER TABLE ONLY driver_workday_rules
    ADD CONSTRAINT driver_workday_rules_pkey PRIMARY KEY (org_id, driver_id, seq);

ALTER TABLE ONLY driver_workdays
    ADD CONSTRAINT driver_workdays_pkey PRIMARY KEY (org_id, driver_id, date);

ALTER TABLE ONLY drivers
    ADD CONSTRAINT drivers_external_id_key UNIQUE (org_id, external_id);

ALTER TABLE ONLY drivers
    ADD CONSTRAINT drivers_pkey PRIMARY KEY (org_id, id);

ALTER TABLE ONLY erased_addresses
    ADD CONSTRAINT erased_addresses_pkey PRIMARY KEY (org_id, hash);

ALTER TABLE ONLY erasure_keys
    ADD CONSTRAINT erasure_keys_pkey PRIMARY KEY (org_id);

ALTER TABLE ONLY erasures
    ADD CONSTRAINT erasures_pkey PRIMARY KEY (org_id, id);

ALTER TABLE ONLY erp_orders
    ADD CONSTRAINT erp_orders_pkey PRIMARY KEY (org_id, number);

ALTER TABLE ONLY event_cursors
    ADD CONSTRAINT event_cursors_pkey PRIMARY KEY (follower, shard);

ALTER TABLE ONLY event_followers
    ADD CONSTRAINT event_followers_pkey PRIMARY KEY (name);

ALTER TABLE ONLY event_sequencer
    ADD CONSTRAINT event_sequencer_pkey PRIMARY KEY (singleton);

ALTER TABLE ONLY events
    ADD CONSTRAINT events_pkey PRIMARY KEY (org_id, id, recorded_at);

ALTER TABLE ONLY events_default
    ADD CONSTRAINT events_default_pkey PRIMARY KEY (org_id, id, recorded_at);

ALTER TABLE ONLY exceptions
    ADD CONSTRAINT exceptions_pkey PRIMARY KEY (org_id, id);

ALTER TABLE ONLY export_acknowledgements
    ADD CONSTRAINT export_acknowledgements_pkey PRIMARY KEY (org_id, id);

ALTER TABLE ONLY export_versions
    ADD CONSTRAINT export_versions_pkey PRIMARY KEY (org_id, order_id, version);

ALTER TABLE ONLY export_versions
    ADD CONSTRAINT export_versions_token_key UNIQUE (org_id, token);

ALTER TABLE ONLY export_walks
    ADD CONSTRAINT export_walks_pkey PRIMARY KEY (org_id, walker);

ALTER TABLE ONLY external_updates
    ADD CONSTRAINT external_updates_body_key UNIQUE (org_id, carrier, body_hash);

ALTER TABLE ONLY external_updates
    ADD CONSTRAINT external_updates_pkey PRIMARY KEY (org_id, id);

ALTER TABLE ONLY freight_levels
    ADD CONSTRAINT freight_levels_pkey PRIMARY KEY (org_id, id);

ALTER TABLE ONLY freights
    ADD CONSTRAINT freights_parties_key UNIQUE (org_id, internal_freight_number, consignee_id, consignor_id);

ALTER TABLE ONLY freights
    ADD CONSTRAINT freights_pkey PRIMARY KEY (org_id, id);

ALTER TABLE ONLY housekeeping_marks
    ADD CONSTRAINT housekeeping_marks_pkey PRIMARY KEY (duty);

ALTER TABLE ONLY idempotency_keys
    ADD CONSTRAINT idempotency_keys_pkey PRIMARY KEY (org_id, operation, caller, key);

ALTER TABLE ONLY identities
    ADD CONSTRAINT identities_pkey PRIMARY KEY (org_id, issuer, subject);

ALTER TABLE ONLY import_chunks
    ADD CONSTRAINT import_chunks_pkey PRIMARY KEY (org_id, import_id, chunk);

ALTER TABLE ONLY import_results
    ADD CONSTRAINT import_results_pkey PRIMARY KEY (org_id, import_id, "position");

ALTER TABLE imports
    ADD CONSTRAINT imports_ended_as_check CHECK ((ended_as = ANY (ARRAY['FAILED'::text, 'CANCELLED'::text]))) NOT VALID;

ALTER TABLE ONLY imports
    ADD CONSTRAINT imports_pkey PRIMARY KEY (org_id, id);

ALTER TABLE ONLY installation
    ADD CONSTRAINT installation_pkey PRIMARY KEY (is_only);

ALTER TABLE ONLY live_etas
    ADD CONSTRAINT live_etas_pkey PRIMARY KEY (org_id, order_id, kind);

ALTER TABLE ONLY location_names
    ADD CONSTRAINT location_names_pkey PRIMARY KEY (org_id, location_id, name);

ALTER TABLE ONLY location_prohibited_drivers
    ADD CONSTRAINT location_prohibited_drivers_pkey PRIMARY KEY (org_id, driver_id, location_id);

ALTER TABLE ONLY location_time_windows
    ADD CONSTRAINT location_time_windows_pkey PRIMARY KEY (org_id, location_id, seq);

ALTER TABLE ONLY locations
    ADD CONSTRAINT locations_pkey PRIMARY KEY (org_id, id);

ALTER TABLE ONLY log_marks
    ADD CONSTRAINT log_marks_pkey PRIMARY KEY (at);

ALTER TABLE ONLY message_tallies
    ADD CONSTRAINT message_tallies_pkey PRIMARY KEY (org_id, day, channel, receiver);

ALTER TABLE ONLY messaging_settings
    ADD CONSTRAINT messaging_settings_pkey PRIMARY KEY (org_id);

ALTER TABLE ONLY notification_handovers
    ADD CONSTRAINT notification_handovers_pkey PRIMARY KEY (org_id, event_id, rule_id, receiver);

ALTER TABLE ONLY notification_rules
    ADD CONSTRAINT notification_rules_key UNIQUE (org_id, event, channel, receiver, address);

ALTER TABLE ONLY notification_rules
    ADD CONSTRAINT notification_rules_pkey PRIMARY KEY (org_id, id);

ALTER TABLE ONLY notification_steps
    ADD CONSTRAINT notification_steps_pkey PRIMARY KEY (org_id, id);

ALTER TABLE ONLY notifications
    ADD CONSTRAINT notifications_key_key UNIQUE (org_id, key, try);

ALTER TABLE ONLY notifications
    ADD CONSTRAINT notifications_pkey PRIMARY KEY (org_id, id);

ALTER TABLE ONLY notifications
    ADD CONSTRAINT notifications_retry_of_key UNIQUE (org_id, retry_of);

ALTER TABLE ONLY oidc_providers
    ADD CONSTRAINT oidc_providers_pkey PRIMARY KEY (org_id, id);

ALTER TABLE ONLY oidc_providers
    ADD CONSTRAINT oidc_providers_slug_key UNIQUE (org_id, slug);

ALTER TABLE ONLY operator_actions
    ADD CONSTRAINT operator_actions_pkey PRIMARY KEY (id);

ALTER TABLE ONLY order_archives
    ADD CONSTRAINT order_archives_pkey PRIMARY KEY (org_id, id);

ALTER TABLE ONLY order_documentations
    ADD CONSTRAINT order_documentations_pkey PRIMARY KEY (org_id, id);

ALTER TABLE ONLY order_documents
    ADD CONSTRAINT order_documents_pkey PRIMARY KEY (org_id, order_id, document_id);

ALTER TABLE ONLY order_driver_locks
    ADD CONSTRAINT order_driver_locks_pkey PRIMARY KEY (org_id, order_id);

ALTER TABLE ONLY order_exports
    ADD CONSTRAINT order_exports_pkey PRIMARY KEY (org_id, order_id);

ALTER TABLE ONLY order_group_members
    ADD CONSTRAINT order_group_members_pkey PRIMARY KEY (org_id, order_id, group_id);

ALTER TABLE ONLY order_groups
    ADD CONSTRAINT order_groups_pkey PRIMARY KEY (org_id, id);

ALTER TABLE ONLY order_moves
    ADD CONSTRAINT order_moves_pkey PRIMARY KEY (org_id, id);

ALTER TABLE ONLY order_numbers_by_hand
    ADD CONSTRAINT order_numbers_by_hand_pkey PRIMARY KEY (org_id);

ALTER TABLE ONLY order_numbers
    ADD CONSTRAINT order_numbers_pkey PRIMARY KEY (org_id, number);

ALTER TABLE ONLY order_prices
    ADD CONSTRAINT order_prices_pkey PRIMARY KEY (org_id, order_id, seq);

ALTER TABLE ONLY order_product_deliveries
    ADD CONSTRAINT order_product_deliveries_pkey PRIMARY KEY (org_id, order_product_id);

ALTER TABLE ONLY order_product_skills
    ADD CONSTRAINT order_product_skills_pkey PRIMARY KEY (org_id, order_product_id, skill_id);

ALTER TABLE ONLY order_product_units
    ADD CONSTRAINT order_product_units_barcode_key UNIQUE (org_id, barcode_id);

ALTER TABLE ONLY order_product_units
    ADD CONSTRAINT order_product_units_pkey PRIMARY KEY (org_id, order_product_id, unit);

ALTER TABLE ONLY order_products_missing
    ADD CONSTRAINT order_products_missing_pkey PRIMARY KEY (org_id, order_product_id);

ALTER TABLE ONLY order_products
    ADD CONSTRAINT order_products_pkey PRIMARY KEY (org_id, id);

ALTER TABLE ONLY order_progress
    ADD CONSTRAINT order_progress_pkey PRIMARY KEY (org_id, order_id);

ALTER TABLE ONLY order_prohibited_drivers
    ADD CONSTRAINT order_prohibited_drivers_pkey PRIMARY KEY (org_id, order_id, driver_id);

ALTER TABLE ONLY order_reminders
    ADD CONSTRAINT order_reminders_pkey PRIMARY KEY (org_id, order_id, days_ahead, date);

ALTER TABLE ONLY order_statuses
    ADD CONSTRAINT order_statuses_name_key UNIQUE (name);

ALTER TABLE ONLY order_statuses
    ADD CONSTRAINT order_statuses_pkey PRIMARY KEY (id);

ALTER TABLE ONLY order_stops
    ADD CONSTRAINT order_stops_order_key UNIQUE (org_id, order_id, kind);

ALTER TABLE ONLY order_stops
    ADD CONSTRAINT order_stops_pkey PRIMARY KEY (org_id, id);

ALTER TABLE ONLY order_texts
    ADD CONSTRAINT order_texts_pkey PRIMARY KEY (org_id, order_id);

ALTER TABLE ONLY order_types
    ADD CONSTRAINT order_types_pkey PRIMARY KEY (org_id, id);

ALTER TABLE ONLY orders
    ADD CONSTRAINT orders_number_key UNIQUE (org_id, number) DEFERRABLE;

ALTER TABLE ONLY orders
    ADD CONSTRAINT orders_pkey PRIMARY KEY (org_id, id);

ALTER TABLE ONLY orders
    ADD CONSTRAINT orders_serial_key UNIQUE (org_id, serial);

ALTER TABLE organizations
    ADD CONSTRAINT organizations_learn_travel_check CHECK ((learn_travel = ANY (ARRAY['OFF'::text, 'PROPOSE'::text, 'ACCEPT'::text]))) NOT VALID;

ALTER TABLE ONLY organizations
    ADD CONSTRAINT organizations_pkey PRIMARY KEY (id);

ALTER TABLE organizations
    ADD CONSTRAINT organizations_recipient_page_check CHECK ((jsonb_typeof(recipient_page) = 'object'::text)) NOT VALID;

ALTER TABLE ONLY organizations
    ADD CONSTRAINT organizations_slug_key UNIQUE (slug);

ALTER TABLE ONLY organizations
    ADD CONSTRAINT organizations_workflow_name_key UNIQUE (workflow_name);

ALTER TABLE ONLY parked_events
    ADD CONSTRAINT parked_events_pkey PRIMARY KEY (org_id, follower, event_id);

ALTER TABLE ONLY passkeys
    ADD CONSTRAINT passkeys_credential_id_key UNIQUE (org_id, credential_id);

ALTER TABLE ONLY passkeys
    ADD CONSTRAINT passkeys_pkey PRIMARY KEY (org_id, id);

ALTER TABLE ONLY place_answers
    ADD CONSTRAINT place_answers_pkey PRIMARY KEY (org_id, key);

ALTER TABLE ONLY place_loads
    ADD CONSTRAINT place_loads_pkey PRIMARY KEY (load);

ALTER TABLE ONLY place_loads
    ADD CONSTRAINT place_loads_source_key UNIQUE (source);

ALTER TABLE ONLY place_moves
    ADD CONSTRAINT place_moves_pkey PRIMARY KEY (org_id, key);

ALTER TABLE ONLY place_pins
    ADD CONSTRAINT place_pins_key_key UNIQUE (org_id, key);

ALTER TABLE ONLY place_pins
    ADD CONSTRAINT place_pins_pkey PRIMARY KEY (org_id, id);

ALTER TABLE place_pins
    ADD CONSTRAINT place_pins_source_check CHECK ((source = ANY (ARRAY['PERSON'::text, 'ARRIVALS'::text]))) NOT VALID;

ALTER TABLE ONLY place_proposals
    ADD CONSTRAINT place_proposals_key_key UNIQUE (org_id, key, source);

ALTER TABLE ONLY place_proposals
    ADD CONSTRAINT place_proposals_pkey PRIMARY KEY (org_id, id);

ALTER TABLE place_proposals
    ADD CONSTRAINT place_proposals_target_check CHECK ((target = ANY (ARRAY['ADDRESS'::text, 'LOCATION'::text, 'ORDER'::text]))) NOT VALID;

ALTER TABLE ONLY place_sources
    ADD CONSTRAINT place_sources_name_key UNIQUE (name);

ALTER TABLE ONLY place_sources
    ADD CONSTRAINT place_sources_pkey PRIMARY KEY (id);

ALTER TABLE ONLY place_work
    ADD CONSTRAINT place_work_pkey PRIMARY KEY (org_id);

ALTER TABLE ONLY plan_moved_orders
    ADD CONSTRAINT plan_moved_orders_pkey PRIMARY KEY (org_id, move_id, order_id);

ALTER TABLE ONLY plan_moved_routes
    ADD CONSTRAINT plan_moved_routes_pkey PRIMARY KEY (org_id, move_id, driver_id);

ALTER TABLE ONLY plan_moves
    ADD CONSTRAINT plan_moves_pkey PRIMARY KEY (org_id, id);

ALTER TABLE ONLY plan_preview_routes
    ADD CONSTRAINT plan_preview_routes_pkey PRIMARY KEY (org_id, preview_id, driver_id);

ALTER TABLE ONLY plan_previews
    ADD CONSTRAINT plan_previews_pkey PRIMARY KEY (org_id, id);

ALTER TABLE ONLY plan_released_stops
    ADD CONSTRAINT plan_released_stops_pkey PRIMARY KEY (org_id, plan_id, order_id, kind);

ALTER TABLE ONLY plan_routes
    ADD CONSTRAINT plan_routes_pkey PRIMARY KEY (org_id, plan_id, driver_id);

ALTER TABLE ONLY plan_stops
    ADD CONSTRAINT plan_stops_pkey PRIMARY KEY (org_id, order_id, kind);

ALTER TABLE ONLY plan_unplanned
    ADD CONSTRAINT plan_unplanned_pkey PRIMARY KEY (org_id, order_id);

ALTER TABLE ONLY plans
    ADD CONSTRAINT plans_area_key UNIQUE NULLS NOT DISTINCT (org_id, day, department_id);

ALTER TABLE ONLY plans
    ADD CONSTRAINT plans_pkey PRIMARY KEY (org_id, id);

ALTER TABLE ONLY price_list_lines
    ADD CONSTRAINT price_list_lines_pkey PRIMARY KEY (org_id, price_list_id, seq);

ALTER TABLE ONLY price_list_order_types
    ADD CONSTRAINT price_list_order_types_pkey PRIMARY KEY (org_id, price_list_id, order_type_id);

ALTER TABLE ONLY price_lists
    ADD CONSTRAINT price_lists_pkey PRIMARY KEY (org_id, id);

ALTER TABLE ONLY product_skills
    ADD CONSTRAINT product_skills_pkey PRIMARY KEY (org_id, product_id, skill_id);

ALTER TABLE ONLY product_units
    ADD CONSTRAINT product_units_pkey PRIMARY KEY (org_id, product_id, seq);

ALTER TABLE ONLY products
    ADD CONSTRAINT products_external_id_key UNIQUE (org_id, external_id);

ALTER TABLE ONLY products
    ADD CONSTRAINT products_pkey PRIMARY KEY (org_id, id);

ALTER TABLE ONLY proof_chains
    ADD CONSTRAINT proof_chains_pkey PRIMARY KEY (org_id);

ALTER TABLE ONLY proof_pictures
    ADD CONSTRAINT proof_pictures_pkey PRIMARY KEY (org_id, sha256);

ALTER TABLE ONLY recipient_instructions
    ADD CONSTRAINT recipient_instructions_pkey PRIMARY KEY (org_id, order_id);

ALTER TABLE ONLY recipient_preferences
    ADD CONSTRAINT recipient_preferences_pkey PRIMARY KEY (org_id, order_id);

ALTER TABLE ONLY recipient_ratings
    ADD CONSTRAINT recipient_ratings_pkey PRIMARY KEY (org_id, order_id);

ALTER TABLE ONLY recovery_codes
    ADD CONSTRAINT recovery_codes_pkey PRIMARY KEY (org_id, user_id, hash);

ALTER TABLE ONLY recurring_occurrences
    ADD CONSTRAINT recurring_occurrences_pkey PRIMARY KEY (org_id, recurring_order_id, occurrence);

ALTER TABLE ONLY recurring_order_changes
    ADD CONSTRAINT recurring_order_changes_pkey PRIMARY KEY (org_id, id);

ALTER TABLE ONLY recurring_orders
    ADD CONSTRAINT recurring_orders_pkey PRIMARY KEY (org_id, id);

ALTER TABLE ONLY refused_carrier_updates
    ADD CONSTRAINT refused_carrier_updates_pkey PRIMARY KEY (org_id, carrier, id);

ALTER TABLE ONLY regions
    ADD CONSTRAINT regions_pkey PRIMARY KEY (name);

ALTER TABLE ONLY relay_members
    ADD CONSTRAINT relay_members_pkey PRIMARY KEY (id);

ALTER TABLE ONLY relay_shards
    ADD CONSTRAINT relay_shards_pkey PRIMARY KEY (shard);

ALTER TABLE ONLY resendings
    ADD CONSTRAINT resendings_pkey PRIMARY KEY (org_id, id);

ALTER TABLE ONLY roles
    ADD CONSTRAINT roles_pkey PRIMARY KEY (org_id, id);

ALTER TABLE ONLY route_holds
    ADD CONSTRAINT route_holds_pkey PRIMARY KEY (org_id, plan_id, driver_id);

ALTER TABLE ONLY sandbox_runs
    ADD CONSTRAINT sandbox_runs_pkey PRIMARY KEY (org_id, id);

ALTER TABLE ONLY schedule_holds
    ADD CONSTRAINT schedule_holds_pkey PRIMARY KEY (org_id, id);

ALTER TABLE ONLY schedule_interval_days
    ADD CONSTRAINT schedule_interval_days_pkey PRIMARY KEY (org_id, interval_id, day);

ALTER TABLE ONLY schedule_interval_freight_levels
    ADD CONSTRAINT schedule_interval_freight_levels_pkey PRIMARY KEY (org_id, interval_id, freight_level_id);

ALTER TABLE ONLY schedule_interval_order_types
    ADD CONSTRAINT schedule_interval_order_types_pkey PRIMARY KEY (org_id, interval_id, order_type_id);

ALTER TABLE ONLY schedule_interval_zones
    ADD CONSTRAINT schedule_interval_zones_pkey PRIMARY KEY (org_id, interval_id, from_zone_id, to_zone_id);

ALTER TABLE ONLY schedule_intervals
    ADD CONSTRAINT schedule_intervals_pkey PRIMARY KEY (org_id, id);

ALTER TABLE ONLY schema_compatibility
    ADD CONSTRAINT schema_compatibility_pkey PRIMARY KEY (singleton);

ALTER TABLE ONLY schema_definitions
    ADD CONSTRAINT schema_definitions_pkey PRIMARY KEY (name, hash);

ALTER TABLE ONLY sessions
    ADD CONSTRAINT sessions_pkey PRIMARY KEY (org_id, id);

ALTER TABLE ONLY sessions
    ADD CONSTRAINT sessions_public_part_key UNIQUE (public_part);

ALTER TABLE ONLY sign_in_challenges
    ADD CONSTRAINT sign_in_challenges_pkey PRIMARY KEY (id);

ALTER TABLE ONLY sign_in_failures
    ADD CONSTRAINT sign_in_failures_pkey PRIMARY KEY (subject);

ALTER TABLE ONLY signing_keys
    ADD CONSTRAINT signing_keys_pkey PRIMARY KEY (purpose);

ALTER TABLE ONLY skills
    ADD CONSTRAINT skills_pkey PRIMARY KEY (org_id, id);

ALTER TABLE ONLY sscc_counters
    ADD CONSTRAINT sscc_counters_pkey PRIMARY KEY (org_id);

ALTER TABLE ONLY stop_approaches
    ADD CONSTRAINT stop_approaches_pkey PRIMARY KEY (org_id, order_id, kind, day);

ALTER TABLE ONLY stop_contacts
    ADD CONSTRAINT stop_contacts_pkey PRIMARY KEY (org_id, id);

ALTER TABLE ONLY stop_skills
    ADD CONSTRAINT stop_skills_pkey PRIMARY KEY (org_id, stop_id, skill_id);

ALTER TABLE ONLY streets
    ADD CONSTRAINT streets_pkey PRIMARY KEY (id);

ALTER TABLE ONLY suppressions
    ADD CONSTRAINT suppressions_pkey PRIMARY KEY (org_id, channel, address);

ALTER TABLE ONLY totp_seeds
    ADD CONSTRAINT totp_seeds_pkey PRIMARY KEY (org_id, user_id);

ALTER TABLE ONLY towns
    ADD CONSTRAINT towns_pkey PRIMARY KEY (source_id, country, postal_code, town_key);

ALTER TABLE ONLY tracking_links
    ADD CONSTRAINT tracking_links_code_key UNIQUE (code);

ALTER TABLE ONLY tracking_links
    ADD CONSTRAINT tracking_links_pkey PRIMARY KEY (org_id, code);

ALTER TABLE ONLY transformation_rules
    ADD CONSTRAINT transformation_rules_pkey PRIMARY KEY (org_id, id);

ALTER TABLE ONLY travel_block_cells
    ADD CONSTRAINT travel_block_cells_pkey PRIMARY KEY (org_id, block_id, cell);

ALTER TABLE ONLY travel_blocks
    ADD CONSTRAINT travel_blocks_pkey PRIMARY KEY (org_id, id);

ALTER TABLE ONLY travel_legs
    ADD CONSTRAINT travel_legs_pkey PRIMARY KEY (org_id, provider, profile, from_cell, to_cell);

ALTER TABLE ONLY travel_proposals
    ADD CONSTRAINT travel_proposals_pkey PRIMARY KEY (org_id, id);

ALTER TABLE ONLY travel_ways
    ADD CONSTRAINT travel_ways_pkey PRIMARY KEY (org_id, provider, profile, from_place, to_place);

ALTER TABLE ONLY user_roles
    ADD CONSTRAINT user_roles_pkey PRIMARY KEY (org_id, user_id, role_id);

ALTER TABLE ONLY users
    ADD CONSTRAINT users_driver_key UNIQUE (org_id, driver_id);

ALTER TABLE ONLY users
    ADD CONSTRAINT users_pkey PRIMARY KEY (org_id, id);

ALTER TABLE ONLY vehicle_skills
    ADD CONSTRAINT vehicle_skills_pkey PRIMARY KEY (org_id, vehicle_id, skill_id);

ALTER TABLE ONLY vehicle_type_also_serves
    ADD CONSTRAINT vehicle_type_also_serves_pkey PRIMARY KEY (org_id, vehicle_type_id, served_type_id);

ALTER TABLE ONLY vehicle_types
    ADD CONSTRAINT vehicle_types_pkey PRIMARY KEY (org_id, id);

ALTER TABLE ONLY vehicles
    ADD CONSTRAINT vehicles_pkey PRIMARY KEY (org_id, id);

ALTER TABLE ONLY webhook_attempts
    ADD CONSTRAINT webhook_attempts_pkey PRIMARY KEY (org_id, endpoint_id, id);

ALTER TABLE ONLY webhook_deliveries
    ADD CONSTRAINT webhook_deliveries_pkey PRIMARY KEY (org_id, endpoint_id, "position", place);

ALTER TABLE ONLY webhook_endpoints
    ADD CONSTRAINT webhook_endpoints_pkey PRIMARY KEY (org_id, id);

ALTER TABLE ONLY zones
    ADD CONSTRAINT zones_pkey PRIMARY KEY (org_id, id);

CREATE INDEX account_codes_driver_idx ON account_codes USING btree (org_id, driver_id) WHERE (used_at IS NULL);

CREATE INDEX account_codes_expires_idx ON account_codes USING btree (expires_at);

CREATE INDEX account_codes_user_idx ON account_codes USING btree (org_id, user_id) WHERE (used_at IS NULL);

CREATE INDEX alerts_day_idx ON alerts USING btree (org_id, day, id);

CREATE UNIQUE INDEX alerts_lasting_key ON alerts USING btree (org_id, rule_id, day, driver_id, order_id, stop, exception_id) NULLS NOT DISTINCT WHERE (resolved_at IS NULL);

CREATE INDEX alerts_order_idx ON alerts USING btree (org_id, order_id) WHERE (order_id IS NOT NULL);

CREATE INDEX alerts_raised_idx ON alerts USING btree (org_id, raised_at) WHERE (emails <> '{}'::text[]);

CREATE UNIQUE INDEX bookings_draft_key ON bookings USING btree (org_id, draft_id) WHERE (draft_id IS NOT NULL);

CREATE UNIQUE INDEX calendars_name_key ON calendars USING btree (org_id, lower(name));

CREATE UNIQUE INDEX cargo_carrier_accounts_customer_key ON cargo_carrier_accounts USING btree (org_id, customer_id, cargo_carrier_id) WHERE (customer_id IS NOT NULL);

CREATE UNIQUE INDEX cargo_carrier_accounts_location_key ON cargo_carrier_accounts USING btree (org_id, location_id, cargo_carrier_id) WHERE (location_id IS NOT NULL);

CREATE INDEX cargo_carrier_movements_account_idx ON cargo_carrier_movements USING btree (org_id, account_id, id);

CREATE INDEX cargo_carrier_movements_action_idx ON cargo_carrier_movements USING btree (org_id, action_id) WHERE (action_id IS NOT NULL);

CREATE INDEX cargo_carrier_movements_order_idx ON cargo_carrier_movements USING btree (org_id, order_id) WHERE (order_id IS NOT NULL);

CREATE INDEX completion_proof_images_sha256_idx ON completion_proof_images USING btree (org_id, sha256) WHERE (sha256 IS NOT NULL);

CREATE INDEX completion_proofs_order_idx ON completion_proofs USING btree (org_id, order_id);

CREATE INDEX completion_proofs_signature_idx ON completion_proofs USING btree (org_id, signature_sha256) WHERE (signature_sha256 IS NOT NULL);

CREATE INDEX custom_field_values_definition_idx ON custom_field_values USING btree (org_id, definition_id);

CREATE INDEX custom_field_values_value_idx ON custom_field_values USING btree (org_id, definition_id, hashtextextended((value #>> '{}'::text[]), (0)::bigint), order_id);

CREATE INDEX customer_prohibited_drivers_customer_idx ON customer_prohibited_drivers USING btree (org_id, customer_id);

CREATE INDEX customers_business_name_idx ON customers USING btree (org_id, lower(business_name));

CREATE UNIQUE INDEX departments_name_key ON departments USING btree (org_id, lower(name));

CREATE INDEX documents_loose_idx ON documents USING btree (loose_since) WHERE (loose_since IS NOT NULL);

CREATE INDEX draft_documents_document_idx ON draft_documents USING btree (org_id, document_id);

CREATE INDEX drafts_order_idx ON drafts USING btree (org_id, order_id) WHERE (order_id IS NOT NULL);

CREATE INDEX drafts_state_idx ON drafts USING btree (org_id, state, id);

CREATE INDEX drafts_updated_idx ON drafts USING btree (org_id, updated_at);

CREATE INDEX driven_legs_until_idx ON driven_legs USING btree (org_id, driver_id, until_at);

CREATE INDEX driver_actions_device_idx ON driver_actions USING btree (org_id, device_id) WHERE (device_id IS NOT NULL);

CREATE INDEX driver_actions_driver_idx ON driver_actions USING btree (org_id, driver_id, occurred_at);

CREATE INDEX driver_actions_order_idx ON driver_actions USING btree (org_id, order_id) WHERE (order_id IS NOT NULL);

CREATE INDEX driver_actions_pictures_idx ON driver_actions USING gin (((data -> 'pictures'::text))) WHERE (type = 'FAIL'::text);

CREATE UNIQUE INDEX driver_messages_client_key ON driver_messages USING btree (org_id, driver_id, client_id) WHERE (client_id IS NOT NULL);

CREATE INDEX driver_messages_day_idx ON driver_messages USING btree (org_id, day, id);

CREATE INDEX driver_messages_driver_idx ON driver_messages USING btree (org_id, driver_id, day, id);

CREATE INDEX driver_messages_order_idx ON driver_messages USING btree (org_id, order_id) WHERE (order_id IS NOT NULL);

CREATE INDEX driver_skills_skill_idx ON driver_skills USING btree (org_id, skill_id);

CREATE INDEX driver_workdays_co_driver_idx ON driver_workdays USING btree (org_id, co_driver_id, date) WHERE (co_driver_id IS NOT NULL);

CREATE INDEX driver_workdays_vehicle_idx ON driver_workdays USING btree (org_id, vehicle_id) WHERE (vehicle_id IS NOT NULL);

CREATE INDEX drivers_phone_idx ON drivers USING btree (org_id, phone_number) WHERE is_active;

CREATE INDEX drivers_vehicle_idx ON drivers USING btree (org_id, vehicle_id) WHERE (vehicle_id IS NOT NULL);

CREATE INDEX erp_orders_order_idx ON erp_orders USING btree (org_id, order_id);

CREATE INDEX events_unsequenced_idx ON ONLY events USING btree (id) WHERE ("position" IS NULL);

CREATE INDEX events_default_id_idx ON events_default USING btree (id) WHERE ("position" IS NULL);

CREATE INDEX events_person_idx ON ONLY events USING btree (org_id, actor, id) WHERE (("position" IS NOT NULL) AND (actor ~~ 'user:%'::text));

CREATE INDEX events_default_org_id_actor_id_idx ON events_default USING btree (org_id, actor, id) WHERE (("position" IS NOT NULL) AND (actor ~~ 'user:%'::text));

CREATE INDEX events_proved_idx ON ONLY events USING btree (org_id, id) WHERE (kind = 'order.proved'::text);

CREATE INDEX events_default_org_id_id_idx ON events_default USING btree (org_id, id) WHERE (kind = 'order.proved'::text);

CREATE INDEX events_status_feed_idx ON ONLY events USING btree (org_id, "position") WHERE ((order_status_id IS NOT NULL) AND ("position" IS NOT NULL));

CREATE INDEX events_default_org_id_position_idx ON events_default USING btree (org_id, "position") WHERE ((order_status_id IS NOT NULL) AND ("position" IS NOT NULL));

CREATE INDEX events_product_feed_idx ON ONLY events USING btree (org_id, "position") WHERE ((product_status_id IS NOT NULL) AND ("position" IS NOT NULL));

CREATE INDEX events_default_org_id_position_idx1 ON events_default USING btree (org_id, "position") WHERE ((product_status_id IS NOT NULL) AND ("position" IS NOT NULL));

CREATE INDEX events_subject_idx ON ONLY events USING btree (org_id, subject_type, subject_id, id) WHERE ("position" IS NOT NULL);

CREATE INDEX events_default_org_id_subject_type_subject_id_id_idx ON events_default USING btree (org_id, subject_type, subject_id, id) WHERE ("position" IS NOT NULL);

CREATE INDEX events_follow_idx ON ONLY events USING btree ("position") WHERE ((kind <> ''::text) AND ("position" IS NOT NULL));

CREATE INDEX events_default_position_idx ON events_default USING btree ("position") WHERE ((kind <> ''::text) AND ("position" IS NOT NULL));

CREATE UNIQUE INDEX exceptions_action_key ON exceptions USING btree (org_id, action_id) WHERE (action_id IS NOT NULL);

CREATE INDEX exceptions_day_idx ON exceptions USING btree (org_id, day, id);

CREATE INDEX exceptions_driver_idx ON exceptions USING btree (org_id, driver_id, day);

CREATE UNIQUE INDEX exceptions_late_key ON exceptions USING btree (org_id, driver_id, day, order_id, stop) WHERE ((kind = 'LATE_STOP'::text) AND (resolved_at IS NULL));

CREATE INDEX exceptions_open_idx ON exceptions USING btree (org_id, id) WHERE (resolved_at IS NULL);

CREATE INDEX exceptions_order_idx ON exceptions USING btree (org_id, order_id) WHERE (order_id IS NOT NULL);

CREATE UNIQUE INDEX exceptions_silent_key ON exceptions USING btree (org_id, driver_id, day) WHERE ((kind = 'SILENT_DRIVER'::text) AND (resolved_at IS NULL));

CREATE UNIQUE INDEX export_acknowledgements_idempotency_key ON export_acknowledgements USING btree (org_id, idempotency_key) WHERE (idempotency_key IS NOT NULL);

CREATE UNIQUE INDEX export_acknowledgements_number_key ON export_acknowledgements USING btree (org_id, order_id, number) WHERE (number IS NOT NULL);

CREATE INDEX export_acknowledgements_order_idx ON export_acknowledgements USING btree (org_id, order_id, id) WHERE (carrier_shipment_id IS NOT NULL);

CREATE INDEX export_acknowledgements_search_idx ON export_acknowledgements USING gin (org_id, carrier_shipment_id gin_trgm_ops) WHERE (carrier_shipment_id IS NOT NULL);

CREATE INDEX export_versions_payloads_idx ON export_versions USING btree (offered_at) WHERE (payload <> ''::text);

CREATE UNIQUE INDEX export_walks_key_key ON export_walks USING btree (org_id, key_id);

CREATE INDEX external_updates_bodies_idx ON external_updates USING btree (received_at) WHERE (raw_body <> ''::text);

CREATE INDEX external_updates_carrier_idx ON external_updates USING btree (org_id, carrier, id) WHERE (carrier IS NOT NULL);

CREATE INDEX external_updates_order_idx ON external_updates USING btree (org_id, order_id, received_at DESC, id DESC);

CREATE UNIQUE INDEX freight_levels_name_key ON freight_levels USING btree (org_id, lower(name));

CREATE INDEX idempotency_keys_expires_idx ON idempotency_keys USING btree (expires_at);

CREATE INDEX identities_user_idx ON identities USING btree (org_id, user_id);

CREATE INDEX imports_at_work_idx ON imports USING btree (org_id, id) WHERE ((completed_at IS NULL) AND (ended_at IS NULL));

CREATE INDEX imports_created_idx ON imports USING btree (created_at);

CREATE INDEX location_names_search_idx ON location_names USING gin (org_id, name gin_trgm_ops);

CREATE INDEX location_prohibited_drivers_location_idx ON location_prohibited_drivers USING btree (org_id, location_id);

CREATE UNIQUE INDEX locations_anonymous_key ON locations USING btree (org_id, match_key) WHERE ((external_id IS NULL) AND (deleted_at IS NULL));

CREATE UNIQUE INDEX locations_external_id_key ON locations USING btree (org_id, external_id) WHERE (deleted_at IS NULL);

CREATE INDEX locations_match_key_idx ON locations USING btree (org_id, match_key);

CREATE INDEX locations_place_idx ON locations USING btree (org_id, (("position" ->> 'place'::text))) WHERE ("position" IS NOT NULL);

CREATE INDEX locations_postal_place_idx ON locations USING btree (org_id, postal_code, id) WHERE (latitude IS NOT NULL);

CREATE INDEX locations_search_idx ON locations USING gin (org_id, name gin_trgm_ops, external_id gin_trgm_ops, address1 gin_trgm_ops, postal_code gin_trgm_ops, city gin_trgm_ops);

CREATE INDEX message_tallies_day_idx ON message_tallies USING btree (day);

CREATE INDEX notification_handovers_handed_idx ON notification_handovers USING btree (handed_at);

CREATE INDEX notification_handovers_order_idx ON notification_handovers USING btree (org_id, order_id);

CREATE INDEX notification_steps_notification_idx ON notification_steps USING btree (org_id, notification_id, id);

CREATE UNIQUE INDEX notification_steps_report_key ON notification_steps USING btree (org_id, notification_id, report_key) WHERE (report_key IS NOT NULL);

CREATE INDEX notifications_channel_idx ON notifications USING btree (org_id, channel, id);

CREATE INDEX notifications_failed_idx ON notifications USING btree (org_id, created_at) WHERE (status = 'failed'::text);

CREATE INDEX notifications_order_idx ON notifications USING btree (org_id, order_id, id);

CREATE INDEX notifications_provider_id_idx ON notifications USING btree (org_id, provider_id) WHERE (provider_id IS NOT NULL);

CREATE INDEX notifications_receiver_idx ON notifications USING gin (receiver gin_trgm_ops);

CREATE INDEX notifications_rule_idx ON notifications USING btree (org_id, rule_id);

CREATE INDEX notifications_texts_idx ON notifications USING btree (created_at) WHERE ((body <> ''::text) OR (body_html <> ''::text) OR (subject <> ''::text));

CREATE INDEX notifications_unsent_idx ON notifications USING btree (org_id, channel, id) WHERE (status = ANY (ARRAY['failed'::text, 'bounced'::text, 'spam'::text]));

CREATE INDEX notifications_waiting_idx ON notifications USING btree (org_id, id) WHERE (status = ANY (ARRAY['queued'::text, 'job_dequeued'::text]));

CREATE INDEX order_archives_month_idx ON order_archives USING btree (org_id, month, id);

CREATE INDEX order_documentations_note_location_idx ON order_documentations USING btree (org_id, note_location_id, id) WHERE (note_location_id IS NOT NULL);

CREATE INDEX order_documentations_order_idx ON order_documentations USING btree (org_id, order_id);

CREATE INDEX order_documents_document_idx ON order_documents USING btree (org_id, document_id);

CREATE INDEX order_driver_locks_driver_idx ON order_driver_locks USING btree (org_id, driver_id);

CREATE INDEX order_exports_feed_idx ON order_exports USING btree (org_id, place) INCLUDE (reexport, succeeded_at) WHERE (state = 'pending'::text);

CREATE INDEX order_exports_open_idx ON order_exports USING btree (org_id, order_id) WHERE (state <> 'closed'::text);

CREATE INDEX order_group_members_group_idx ON order_group_members USING btree (org_id, group_id);

CREATE UNIQUE INDEX order_groups_name_key ON order_groups USING btree (org_id, lower(name));

CREATE INDEX order_moves_order_idx ON order_moves USING btree (org_id, order_id);

CREATE INDEX order_numbers_cancelled_idx ON order_numbers USING btree (org_id, order_id) WHERE (cancelled_at IS NOT NULL);

CREATE INDEX order_numbers_order_idx ON order_numbers USING btree (org_id, order_id);

CREATE INDEX order_product_deliveries_order_idx ON order_product_deliveries USING btree (org_id, order_id);

CREATE INDEX order_products_barcode_idx ON order_products USING btree (org_id, barcode_id) WHERE (barcode_id IS NOT NULL);

CREATE INDEX order_products_missing_order_idx ON order_products_missing USING btree (org_id, order_id);

CREATE INDEX order_products_order_idx ON order_products USING btree (org_id, order_id);

CREATE INDEX order_products_parent_idx ON order_products USING btree (org_id, parent_id) WHERE (parent_id IS NOT NULL);

CREATE INDEX order_prohibited_drivers_driver_idx ON order_prohibited_drivers USING btree (org_id, driver_id);

CREATE INDEX order_stops_location_idx ON order_stops USING btree (org_id, location_id, name);

CREATE INDEX order_stops_place_idx ON order_stops USING btree (org_id, (("position" ->> 'place'::text))) WHERE ("position" IS NOT NULL);

CREATE INDEX order_stops_unplaced_idx ON order_stops USING btree (org_id, order_id) WHERE ((latitude IS NULL) AND ("position" IS NULL));

CREATE INDEX order_stops_unsure_idx ON order_stops USING btree (org_id, order_id) WHERE (("position" ->> 'precision'::text) = ANY (ARRAY['STREET'::text, 'POSTAL_CODE'::text, 'CITY'::text, 'UNKNOWN'::text]));

CREATE INDEX order_texts_search_idx ON order_texts USING gin (org_id, text gin_trgm_ops);

CREATE UNIQUE INDEX order_types_name_key ON order_types USING btree (org_id, lower(name));

CREATE INDEX orders_consignee_idx ON orders USING btree (org_id, consignee_id) WHERE (consignee_id IS NOT NULL);

CREATE INDEX orders_consignor_idx ON orders USING btree (org_id, consignor_id) WHERE (consignor_id IS NOT NULL);

CREATE INDEX orders_created_idx ON orders USING btree (org_id, created_at);

CREATE INDEX orders_customer_idx ON orders USING btree (org_id, customer_id);

CREATE INDEX orders_date_idx ON orders USING btree (org_id, date, id);

CREATE INDEX orders_department_idx ON orders USING btree (org_id, department_id) WHERE (department_id IS NOT NULL);

CREATE INDEX orders_driver_idx ON orders USING btree (org_id, driver_id) WHERE (driver_id IS NOT NULL);

CREATE INDEX orders_freight_idx ON orders USING btree (org_id, freight_id) WHERE (freight_id IS NOT NULL);

CREATE INDEX orders_merge_idx ON orders USING btree (org_id, customer_id, date, id) WHERE (status_id <= 3);

CREATE INDEX orders_reference_idx ON orders USING btree (org_id, reference) WHERE (reference IS NOT NULL);

CREATE INDEX orders_route_idx ON orders USING btree (org_id, route_number) WHERE (route_number IS NOT NULL);

CREATE INDEX orders_search_idx ON orders USING gin (org_id, reference gin_trgm_ops, internal_freight_number gin_trgm_ops) WHERE ((reference IS NOT NULL) OR (internal_freight_number IS NOT NULL));

CREATE INDEX orders_status_idx ON orders USING btree (org_id, status_id, date);

CREATE INDEX orders_type_idx ON orders USING btree (org_id, order_type_id, date);

CREATE INDEX orders_updated_idx ON orders USING btree (org_id, updated_hour);

CREATE INDEX orders_vehicle_type_idx ON orders USING btree (org_id, vehicle_type_id);

CREATE INDEX passkeys_user_idx ON passkeys USING btree (org_id, user_id);

CREATE INDEX place_answers_expires_idx ON place_answers USING btree (expires_at);

CREATE INDEX place_proposals_open_idx ON place_proposals USING btree (org_id, id) WHERE (state = 'OPEN'::text);

CREATE INDEX plan_moved_orders_order_idx ON plan_moved_orders USING btree (org_id, order_id);

CREATE INDEX plan_moves_done_idx ON plan_moves USING btree (done_at);

CREATE INDEX plan_moves_plan_idx ON plan_moves USING btree (org_id, plan_id, done_by, id) WHERE (undone_at IS NULL);

CREATE INDEX plan_previews_plan_idx ON plan_previews USING btree (org_id, plan_id, id);

CREATE INDEX plan_released_stops_driver_idx ON plan_released_stops USING btree (org_id, driver_id);

CREATE INDEX plan_released_stops_order_idx ON plan_released_stops USING btree (org_id, order_id);

CREATE INDEX plan_routes_co_driver_idx ON plan_routes USING btree (org_id, co_driver_id) WHERE (co_driver_id IS NOT NULL);

CREATE INDEX plan_routes_driver_idx ON plan_routes USING btree (org_id, driver_id);

CREATE INDEX plan_routes_vehicle_idx ON plan_routes USING btree (org_id, vehicle_id) WHERE (vehicle_id IS NOT NULL);

CREATE INDEX plan_stops_route_idx ON plan_stops USING btree (org_id, plan_id, driver_id, seq);

CREATE INDEX plan_unplanned_plan_idx ON plan_unplanned USING btree (org_id, plan_id);

CREATE INDEX plans_department_idx ON plans USING btree (org_id, department_id) WHERE (department_id IS NOT NULL);

CREATE UNIQUE INDEX price_lists_name_key ON price_lists USING btree (org_id, lower(name));

CREATE INDEX product_skills_skill_idx ON product_skills USING btree (org_id, skill_id);

CREATE INDEX proof_pictures_arrived_idx ON proof_pictures USING btree (arrived_at);

CREATE INDEX proof_pictures_driver_idx ON proof_pictures USING btree (org_id, driver_id, arrived_at);

CREATE INDEX recurring_occurrences_date_idx ON recurring_occurrences USING btree (org_id, recurring_order_id, date);

CREATE INDEX recurring_order_changes_created_idx ON recurring_order_changes USING btree (created_at);

CREATE INDEX recurring_order_changes_template_idx ON recurring_order_changes USING btree (org_id, recurring_order_id);

CREATE INDEX recurring_orders_customer_idx ON recurring_orders USING btree (org_id, customer_id);

CREATE INDEX recurring_orders_delivery_idx ON recurring_orders USING btree (org_id, delivery_location_id) WHERE is_active;

CREATE INDEX recurring_orders_pickup_idx ON recurring_orders USING btree (org_id, pickup_location_id) WHERE is_active;

CREATE UNIQUE INDEX resendings_running_key ON resendings USING btree (org_id) WHERE (state = 'RUNNING'::text);

CREATE UNIQUE INDEX roles_name_key ON roles USING btree (org_id, lower(name));

CREATE INDEX route_holds_driver_idx ON route_holds USING btree (org_id, driver_id);

CREATE INDEX sandbox_runs_day_idx ON sandbox_runs USING btree (org_id, day, id);

CREATE UNIQUE INDEX sandbox_runs_running_key ON sandbox_runs USING btree (org_id) WHERE (state = 'RUNNING'::text);

CREATE INDEX schedule_holds_day_idx ON schedule_holds USING btree (org_id, interval_id, day, ends_at);

CREATE INDEX schedule_holds_end_idx ON schedule_holds USING btree (org_id, ends_at);

CREATE UNIQUE INDEX schedule_intervals_name_key ON schedule_intervals USING btree (org_id, lower(name));

CREATE INDEX sessions_driver_idx ON sessions USING btree (org_id, driver_id) WHERE (ended_at IS NULL);

CREATE INDEX sessions_expires_idx ON sessions USING btree (expires_at);

CREATE INDEX sessions_user_idx ON sessions USING btree (org_id, user_id) WHERE (ended_at IS NULL);

CREATE INDEX sign_in_challenges_expires_idx ON sign_in_challenges USING btree (expires_at);

CREATE UNIQUE INDEX skills_name_key ON skills USING btree (org_id, lower(name));

CREATE INDEX stop_contacts_stop_idx ON stop_contacts USING btree (org_id, stop_id);

CREATE INDEX streets_deletions_idx ON streets USING gin (deletions) WITH (fastupdate=off);

CREATE INDEX streets_key_idx ON streets USING btree (country, key, town_key);

CREATE INDEX streets_plain_idx ON streets USING btree (country, plain);

CREATE INDEX streets_postal_code_idx ON streets USING btree (country, postal_code);

CREATE INDEX streets_town_idx ON streets USING btree (country, town_key);

CREATE INDEX towns_key_idx ON towns USING btree (country, town_key) WHERE (postal_code = ''::text);

CREATE INDEX towns_postal_code_idx ON towns USING btree (country, postal_code);

CREATE INDEX tracking_links_expires_idx ON tracking_links USING btree (expires_at);

CREATE INDEX tracking_links_order_idx ON tracking_links USING btree (org_id, order_id);

CREATE INDEX tracking_links_stop_idx ON tracking_links USING btree (org_id, stop_id);

CREATE UNIQUE INDEX transformation_rules_name_key ON transformation_rules USING btree (org_id, lower(name));

CREATE INDEX travel_block_cells_cell_idx ON travel_block_cells USING btree (org_id, cell);

CREATE INDEX travel_blocks_found_idx ON travel_blocks USING btree (org_id, found_at);

CREATE INDEX travel_legs_found_idx ON travel_legs USING btree (org_id, found_at);

CREATE UNIQUE INDEX travel_proposals_open_kind_key ON travel_proposals USING btree (org_id, kind) WHERE (state = 'OPEN'::text);

CREATE INDEX travel_ways_found_idx ON travel_ways USING btree (org_id, found_at);

CREATE INDEX user_roles_role_idx ON user_roles USING btree (org_id, role_id);

CREATE UNIQUE INDEX users_email_key ON users USING btree (org_id, lower(email));

CREATE INDEX vehicle_skills_skill_idx ON vehicle_skills USING btree (org_id, skill_id);

CREATE INDEX vehicle_type_also_serves_served_idx ON vehicle_type_also_serves USING btree (org_id, served_type_id);

CREATE UNIQUE INDEX vehicle_types_name_key ON vehicle_types USING btree (org_id, lower(name));

CREATE UNIQUE INDEX vehicles_registration_key ON vehicles USING btree (org_id, lower(registration));

CREATE INDEX vehicles_type_idx ON vehicles USING btree (org_id, vehicle_type_id);

CREATE INDEX webhook_attempts_at_idx ON webhook_attempts USING btree (at);

CREATE INDEX webhook_attempts_event_idx ON webhook_attempts USING btree (org_id, endpoint_id, "position", place) WHERE (test IS NULL);

CREATE INDEX webhook_deliveries_due_idx ON webhook_deliveries USING btree (org_id, endpoint_id, next_at) WHERE (next_at IS NOT NULL);

CREATE INDEX webhook_deliveries_gave_up_idx ON webhook_deliveries USING btree (gave_up_at) WHERE (gave_up_at IS NOT NULL);

CREATE INDEX webhook_endpoints_deleted_idx ON webhook_endpoints USING btree (deleted_at) WHERE (deleted_at IS NOT NULL);

CREATE UNIQUE INDEX zones_name_key ON zones USING btree (org_id, lower(name));

ALTER INDEX events_unsequenced_idx ATTACH PARTITION events_default_id_idx;

ALTER INDEX events_person_idx ATTACH PARTITION events_default_org_id_actor_id_idx;

ALTER INDEX events_proved_idx ATTACH PARTITION events_default_org_id_id_idx;

ALTER INDEX events_status_feed_idx ATTACH PARTITION events_default_org_id_position_idx;

ALTER INDEX events_product_feed_idx ATTACH PARTITION events_default_org_id_position_idx1;

ALTER INDEX events_subject_idx ATTACH PARTITION events_default_org_id_subject_type_subject_id_id_idx;

ALTER INDEX events_pkey ATTACH PARTITION events_default_pkey;

ALTER INDEX events_follow_idx ATTACH PARTITION events_default_position_idx;

CREATE TRIGGER custom_field_values_used AFTER INSERT ON custom_field_values REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION mark_custom_fields_used();

CREATE TRIGGER draft_documents_loose AFTER DELETE ON draft_documents REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION note_loose_documents();

CREATE TRIGGER events_name_subjects BEFORE INSERT ON events FOR EACH ROW WHEN ((new.order_status_id IS NOT NULL)) EXECUTE FUNCTION name_subjects_of_status();

CREATE TRIGGER export_walks_name_walker BEFORE INSERT ON export_walks FOR EACH ROW EXECUTE FUNCTION name_walker();

CREATE TRIGGER locations_renamed AFTER UPDATE OF name ON locations FOR EACH ROW WHEN (((old.name <> new.name) AND (old.name <> ''::text))) EXECUTE FUNCTION note_name_of_location();

CREATE TRIGGER order_documents_loose AFTER DELETE ON order_documents REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION note_loose_documents();

CREATE TRIGGER order_numbers_text_of_moved AFTER UPDATE OF order_id ON order_numbers FOR EACH ROW WHEN ((new.order_id IS DISTINCT FROM old.order_id)) EXECUTE FUNCTION note_text_of_moved_number();

CREATE TRIGGER order_numbers_texts_of_new AFTER INSERT ON order_numbers REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION note_texts_of_orders();

CREATE TRIGGER order_stops_name_of_changed AFTER UPDATE OF name, location_id ON order_stops FOR EACH ROW WHEN (((new.name <> ''::text) AND ((old.name IS DISTINCT FROM new.name) OR (old.location_id <> new.location_id)))) EXECUTE FUNCTION note_name_of_stop();

CREATE TRIGGER order_stops_names_of_new AFTER INSERT ON order_stops REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION note_names_of_stops();

CREATE TRIGGER order_stops_text_of_changed AFTER UPDATE OF name, address1, postal_code, city ON order_stops FOR EACH ROW WHEN (((new.name IS DISTINCT FROM old.name) OR (new.address1 IS DISTINCT FROM old.address1) OR (new.postal_code IS DISTINCT FROM old.postal_code) OR (new.city IS DISTINCT FROM old.city))) EXECUTE FUNCTION note_text_of_changed_stop();

CREATE TRIGGER order_stops_texts_of_new AFTER INSERT ON order_stops REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION note_texts_of_orders();

CREATE TRIGGER order_types_proof_since BEFORE INSERT OR UPDATE ON order_types FOR EACH ROW EXECUTE FUNCTION note_proof_since();

CREATE TRIGGER orders_note_cancellation AFTER UPDATE OF status_id ON orders FOR EACH ROW WHEN (((old.status_id = 8) <> (new.status_id = 8))) EXECUTE FUNCTION note_cancellation();

CREATE TRIGGER organizations_builtin_roles AFTER INSERT ON organizations FOR EACH ROW EXECUTE FUNCTION create_builtin_roles();

CREATE TRIGGER organizations_order_serial AFTER INSERT ON organizations FOR EACH ROW EXECUTE FUNCTION create_order_serial();

CREATE TRIGGER organizations_proof_since BEFORE INSERT OR UPDATE ON organizations FOR EACH ROW EXECUTE FUNCTION note_proof_since();

CREATE TRIGGER organizations_workflow_name BEFORE INSERT ON organizations FOR EACH ROW EXECUTE FUNCTION name_workflows();

CREATE TRIGGER stop_contacts_text_of_changed AFTER UPDATE OF first_name, last_name, phone_number ON stop_contacts FOR EACH ROW WHEN (((new.first_name IS DISTINCT FROM old.first_name) OR (new.last_name IS DISTINCT FROM old.last_name) OR (new.phone_number IS DISTINCT FROM old.phone_number))) EXECUTE FUNCTION note_text_of_changed_contact();

CREATE TRIGGER stop_contacts_texts_of_gone AFTER DELETE ON stop_contacts REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION note_texts_without_contacts();

CREATE TRIGGER stop_contacts_texts_of_new AFTER INSERT ON stop_contacts REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION note_texts_of_contacts();

CREATE TRIGGER transformation_rules_version AFTER INSERT OR DELETE OR UPDATE ON transformation_rules FOR EACH ROW EXECUTE FUNCTION count_rule_change();

ALTER TABLE ONLY account_codes
    ADD CONSTRAINT account_codes_driver_fkey FOREIGN KEY (org_id, driver_id) REFERENCES drivers(org_id, id);

ALTER TABLE ONLY account_codes
    ADD CONSTRAINT account_codes_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id);

ALTER TABLE ONLY account_codes
    ADD CONSTRAINT account_codes_user_fkey FOREIGN KEY (org_id, user_id) REFERENCES users(org_id, id);

ALTER TABLE ONLY alert_rules
    ADD CONSTRAINT alert_rules_department_fkey FOREIGN KEY (org_id, department_id) REFERENCES departments(org_id, id);

ALTER TABLE ONLY alert_rules
    ADD CONSTRAINT alert_rules_org_fkey FOREIGN KEY (org_id) REFERENCES organizations(id);

ALTER TABLE ONLY alerts
    ADD CONSTRAINT alerts_driver_fkey FOREIGN KEY (org_id, driver_id) REFERENCES drivers(org_id, id);

ALTER TABLE ONLY alerts
    ADD CONSTRAINT alerts_order_fkey FOREIGN KEY (org_id, order_id) REFERENCES orders(org_id, id);

ALTER TABLE ONLY alerts
    ADD CONSTRAINT alerts_rule_fkey FOREIGN KEY (org_id, rule_id) REFERENCES alert_rules(org_id, id);

ALTER TABLE ONLY api_keys
    ADD CONSTRAINT api_keys_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id);

ALTER TABLE ONLY archived_proofs
    ADD CONSTRAINT archived_proofs_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id);

ALTER TABLE ONLY bookings
    ADD CONSTRAINT bookings_day_fkey FOREIGN KEY (org_id, interval_id, day) REFERENCES schedule_interval_days(org_id, interval_id, day) DEFERRABLE INITIALLY DEFERRED;

ALTER TABLE ONLY bookings
    ADD CONSTRAINT bookings_draft_fkey FOREIGN KEY (org_id, draft_id) REFERENCES drafts(org_id, id);

ALTER TABLE ONLY bookings
    ADD CONSTRAINT bookings_order_fkey FOREIGN KEY (org_id, order_id) REFERENCES orders(org_id, id);

ALTER TABLE ONLY calendars
    ADD CONSTRAINT calendars_org_fkey FOREIGN KEY (org_id) REFERENCES organizations(id);

ALTER TABLE ONLY cargo_carrier_accounts
    ADD CONSTRAINT cargo_carrier_accounts_carrier_fkey FOREIGN KEY (org_id, cargo_carrier_id) REFERENCES cargo_carriers(org_id, id);

ALTER TABLE ONLY cargo_carrier_accounts
    ADD CONSTRAINT cargo_carrier_accounts_customer_fkey FOREIGN KEY (org_id, customer_id) REFERENCES customers(org_id, id);

ALTER TABLE ONLY cargo_carrier_accounts
    ADD CONSTRAINT cargo_carrier_accounts_location_fkey FOREIGN KEY (org_id, location_id) REFERENCES locations(org_id, id);

ALTER TABLE ONLY cargo_carrier_movements
    ADD CONSTRAINT cargo_carrier_movements_account_fkey FOREIGN KEY (org_id, account_id) REFERENCES cargo_carrier_accounts(org_id, id);

ALTER TABLE ONLY cargo_carrier_movements
    ADD CONSTRAINT cargo_carrier_movements_driver_fkey FOREIGN KEY (org_id, driver_id) REFERENCES drivers(org_id, id);

ALTER TABLE ONLY cargo_carrier_movements
    ADD CONSTRAINT cargo_carrier_movements_order_fkey FOREIGN KEY (org_id, order_id) REFERENCES orders(org_id, id);

ALTER TABLE ONLY cargo_carrier_movements
    ADD CONSTRAINT cargo_carrier_movements_reverses_fkey FOREIGN KEY (org_id, reverses) REFERENCES cargo_carrier_movements(org_id, id);

ALTER TABLE ONLY cargo_carriers
    ADD CONSTRAINT cargo_carriers_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id);

ALTER TABLE ONLY carriers
    ADD CONSTRAINT carriers_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id);

ALTER TABLE ONLY completion_proof_images
    ADD CONSTRAINT completion_proof_images_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id);

ALTER TABLE ONLY completion_proof_images
    ADD CONSTRAINT completion_proof_images_proof_fkey FOREIGN KEY (org_id, proof_id) REFERENCES completion_proofs(org_id, id);

ALTER TABLE ONLY completion_proofs
    ADD CONSTRAINT completion_proofs_order_fkey FOREIGN KEY (org_id, order_id) REFERENCES orders(org_id, id);

ALTER TABLE ONLY completion_proofs
    ADD CONSTRAINT completion_proofs_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id);

ALTER TABLE ONLY custom_field_definitions
    ADD CONSTRAINT custom_field_definitions_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id);

ALTER TABLE ONLY custom_field_values
    ADD CONSTRAINT custom_field_values_definition_fkey FOREIGN KEY (org_id, definition_id) REFERENCES custom_field_definitions(org_id, id);

ALTER TABLE ONLY custom_field_values
    ADD CONSTRAINT custom_field_values_order_fkey FOREIGN KEY (org_id, order_id) REFERENCES orders(org_id, id);

ALTER TABLE ONLY customer_prohibited_drivers
    ADD CONSTRAINT customer_prohibited_drivers_customer_fkey FOREIGN KEY (org_id, customer_id) REFERENCES customers(org_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY customer_prohibited_drivers
    ADD CONSTRAINT customer_prohibited_drivers_driver_fkey FOREIGN KEY (org_id, driver_id) REFERENCES drivers(org_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY customer_prohibited_drivers
    ADD CONSTRAINT customer_prohibited_drivers_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id);

ALTER TABLE ONLY customers
    ADD CONSTRAINT customers_calendar_fkey FOREIGN KEY (org_id, calendar_id) REFERENCES calendars(org_id, id);

ALTER TABLE ONLY customers
    ADD CONSTRAINT customers_department_fkey FOREIGN KEY (org_id, department_id) REFERENCES departments(org_id, id);

ALTER TABLE ONLY customers
    ADD CONSTRAINT customers_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id);

ALTER TABLE ONLY delivery_promises
    ADD CONSTRAINT delivery_promises_order_fkey FOREIGN KEY (org_id, order_id) REFERENCES orders(org_id, id);

ALTER TABLE ONLY departments
    ADD CONSTRAINT departments_calendar_fkey FOREIGN KEY (org_id, calendar_id) REFERENCES calendars(org_id, id);

ALTER TABLE ONLY departments
    ADD CONSTRAINT departments_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id);

ALTER TABLE ONLY documents
    ADD CONSTRAINT documents_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id);

ALTER TABLE ONLY draft_documents
    ADD CONSTRAINT draft_documents_document_fkey FOREIGN KEY (org_id, document_id) REFERENCES documents(org_id, id);

ALTER TABLE ONLY draft_documents
    ADD CONSTRAINT draft_documents_draft_fkey FOREIGN KEY (org_id, draft_id) REFERENCES drafts(org_id, id);

ALTER TABLE ONLY draft_documents
    ADD CONSTRAINT draft_documents_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id);

ALTER TABLE ONLY drafts
    ADD CONSTRAINT drafts_order_fkey FOREIGN KEY (org_id, order_id) REFERENCES orders(org_id, id);

ALTER TABLE ONLY drafts
    ADD CONSTRAINT drafts_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id);

ALTER TABLE ONLY driven_legs
    ADD CONSTRAINT driven_legs_driver_fkey FOREIGN KEY (org_id, driver_id) REFERENCES drivers(org_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY driven_legs
    ADD CONSTRAINT driven_legs_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id);

ALTER TABLE ONLY driver_actions
    ADD CONSTRAINT driver_actions_device_fkey FOREIGN KEY (org_id, device_id) REFERENCES sessions(org_id, id);

ALTER TABLE ONLY driver_actions
    ADD CONSTRAINT driver_actions_driver_fkey FOREIGN KEY (org_id, driver_id) REFERENCES drivers(org_id, id);

ALTER TABLE ONLY driver_actions
    ADD CONSTRAINT driver_actions_order_fkey FOREIGN KEY (org_id, order_id) REFERENCES orders(org_id, id);

ALTER TABLE ONLY driver_actions
    ADD CONSTRAINT driver_actions_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id);

ALTER TABLE ONLY driver_days
    ADD CONSTRAINT driver_days_driver_fkey FOREIGN KEY (org_id, driver_id) REFERENCES drivers(org_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY driver_days
    ADD CONSTRAINT driver_days_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id);

ALTER TABLE ONLY driver_messages
    ADD CONSTRAINT driver_messages_driver_fkey FOREIGN KEY (org_id, driver_id) REFERENCES drivers(org_id, id);

ALTER TABLE ONLY driver_messages
    ADD CONSTRAINT driver_messages_order_fkey FOREIGN KEY (org_id, order_id) REFERENCES orders(org_id, id);

ALTER TABLE ONLY driver_messages
    ADD CONSTRAINT driver_messages_org_fkey FOREIGN KEY (org_id) REFERENCES organizations(id);

ALTER TABLE ONLY driver_positions
    ADD CONSTRAINT driver_positions_driver_fkey FOREIGN KEY (org_id, driver_id) REFERENCES drivers(org_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY driver_positions
    ADD CONSTRAINT driver_positions_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id);

ALTER TABLE ONLY driver_skills
    ADD CONSTRAINT driver_skills_driver_fkey FOREIGN KEY (org_id, driver_id) REFERENCES drivers(org_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY driver_skills
    ADD CONSTRAINT driver_skills_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id);

ALTER TABLE ONLY driver_skills
    ADD CONSTRAINT driver_skills_skill_fkey FOREIGN KEY (org_id, skill_id) REFERENCES skills(org_id, id);

ALTER TABLE ONLY driver_whereabouts
    ADD CONSTRAINT driver_whereabouts_driver_fkey FOREIGN KEY (org_id, driver_id) REFERENCES drivers(org_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY driver_whereabouts
    ADD CONSTRAINT driver_whereabouts_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id);

ALTER TABLE ONLY driver_workday_rules
    ADD CONSTRAINT driver_workday_rules_driver_fkey FOREIGN KEY (org_id, driver_id) REFERENCES drivers(org_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY driver_workday_rules
    ADD CONSTRAINT driver_workday_rules_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id);

ALTER TABLE ONLY driver_workdays
    ADD CONSTRAINT driver_workdays_co_driver_fkey FOREIGN KEY (org_id, co_driver_id) REFERENCES drivers(org_id, id) ON DELETE SET NULL (co_driver_id) NOT VALID;

ALTER TABLE ONLY driver_workdays
    ADD CONSTRAINT driver_workdays_driver_fkey FOREIGN KEY (org_id, driver_id) REFERENCES drivers(org_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY driver_workdays
    ADD CONSTRAINT driver_workdays_end_fkey FOREIGN KEY (org_id, end_location_id) REFERENCES locations(org_id, id);

ALTER TABLE ONLY driver_workdays
    ADD CONSTRAINT driver_workdays_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id);

ALTER TABLE ONLY driver_workdays
    ADD CONSTRAINT driver_workdays_start_fkey FOREIGN KEY (org_id, start_location_id) REFERENCES locations(org_id, id);

ALTER TABLE ONLY driver_workdays
    ADD CONSTRAINT driver_workdays_vehicle_fkey FOREIGN KEY (org_id, vehicle_id) REFERENCES vehicles(org_id, id);

ALTER TABLE ONLY drivers
    ADD CONSTRAINT drivers_department_fkey FOREIGN KEY (org_id, department_id) REFERENCES departments(org_id, id);

ALTER TABLE ONLY drivers
    ADD CONSTRAINT drivers_end_fkey FOREIGN KEY (org_id, end_location_id) REFERENCES locations(org_id, id);

ALTER TABLE ONLY drivers
    ADD CONSTRAINT drivers_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id);

ALTER TABLE ONLY drivers
    ADD CONSTRAINT drivers_start_fkey FOREIGN KEY (org_id, start_location_id) REFERENCES locations(org_id, id);

ALTER TABLE ONLY drivers
    ADD CONSTRAINT drivers_vehicle_fkey FOREIGN KEY (org_id, vehicle_id) REFERENCES vehicles(org_id, id);

ALTER TABLE ONLY erased_addresses
    ADD CONSTRAINT erased_addresses_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id);

ALTER TABLE ONLY erasure_keys
    ADD CONSTRAINT erasure_keys_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id);

ALTER TABLE ONLY erasures
    ADD CONSTRAINT erasures_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id);

ALTER TABLE ONLY erp_orders
    ADD CONSTRAINT erp_orders_number_fkey FOREIGN KEY (org_id, number) REFERENCES order_numbers(org_id, number);

ALTER TABLE ONLY erp_orders
    ADD CONSTRAINT erp_orders_order_fkey FOREIGN KEY (org_id, order_id) REFERENCES orders(org_id, id);

ALTER TABLE ONLY event_cursors
    ADD CONSTRAINT event_cursors_follower_fkey FOREIGN KEY (follower) REFERENCES event_followers(name) ON DELETE CASCADE;

ALTER TABLE ONLY event_cursors
    ADD CONSTRAINT event_cursors_shard_fkey FOREIGN KEY (shard) REFERENCES relay_shards(shard);

ALTER TABLE ONLY event_sequencer
    ADD CONSTRAINT event_sequencer_leader_fkey FOREIGN KEY (leader) REFERENCES relay_members(id) ON DELETE SET NULL;

ALTER TABLE ONLY exceptions
    ADD CONSTRAINT exceptions_action_fkey FOREIGN KEY (org_id, action_id) REFERENCES driver_actions(org_id, id);

ALTER TABLE ONLY exceptions
    ADD CONSTRAINT exceptions_driver_fkey FOREIGN KEY (org_id, driver_id) REFERENCES drivers(org_id, id);

ALTER TABLE ONLY exceptions
    ADD CONSTRAINT exceptions_order_fkey FOREIGN KEY (org_id, order_id) REFERENCES orders(org_id, id);

ALTER TABLE ONLY exceptions
    ADD CONSTRAINT exceptions_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id);

ALTER TABLE ONLY export_acknowledgements
    ADD CONSTRAINT export_acknowledgements_version_fkey FOREIGN KEY (org_id, order_id, version) REFERENCES export_versions(org_id, order_id, version);

ALTER TABLE ONLY export_versions
    ADD CONSTRAINT export_versions_export_fkey FOREIGN KEY (org_id, order_id) REFERENCES order_exports(org_id, order_id);

ALTER TABLE ONLY export_walks
    ADD CONSTRAINT export_walks_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id);

ALTER TABLE ONLY external_updates
    ADD CONSTRAINT external_updates_order_fkey FOREIGN KEY (org_id, order_id) REFERENCES orders(org_id, id);

ALTER TABLE ONLY freight_levels
    ADD CONSTRAINT freight_levels_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id);

ALTER TABLE ONLY freights
    ADD CONSTRAINT freights_consignee_fkey FOREIGN KEY (org_id, consignee_id) REFERENCES customers(org_id, id);

ALTER TABLE ONLY freights
    ADD CONSTRAINT freights_consignor_fkey FOREIGN KEY (org_id, consignor_id) REFERENCES customers(org_id, id);

ALTER TABLE ONLY idempotency_keys
    ADD CONSTRAINT idempotency_keys_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id);

ALTER TABLE ONLY identities
    ADD CONSTRAINT identities_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id);

ALTER TABLE ONLY identities
    ADD CONSTRAINT identities_user_fkey FOREIGN KEY (org_id, user_id) REFERENCES users(org_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY import_chunks
    ADD CONSTRAINT import_chunks_import_fkey FOREIGN KEY (org_id, import_id) REFERENCES imports(org_id, id);

ALTER TABLE ONLY import_results
    ADD CONSTRAINT import_results_import_fkey FOREIGN KEY (org_id, import_id) REFERENCES imports(org_id, id);

ALTER TABLE ONLY imports
    ADD CONSTRAINT imports_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id);

ALTER TABLE ONLY live_etas
    ADD CONSTRAINT live_etas_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id);

ALTER TABLE ONLY live_etas
    ADD CONSTRAINT live_etas_stop_fkey FOREIGN KEY (org_id, order_id, kind) REFERENCES order_stops(org_id, order_id, kind) ON DELETE CASCADE;

ALTER TABLE ONLY location_names
    ADD CONSTRAINT location_names_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id);

ALTER TABLE ONLY location_prohibited_drivers
    ADD CONSTRAINT location_prohibited_drivers_driver_fkey FOREIGN KEY (org_id, driver_id) REFERENCES drivers(org_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY location_prohibited_drivers
    ADD CONSTRAINT location_prohibited_drivers_location_fkey FOREIGN KEY (org_id, location_id) REFERENCES locations(org_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY location_prohibited_drivers
    ADD CONSTRAINT location_prohibited_drivers_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id);

ALTER TABLE ONLY location_time_windows
    ADD CONSTRAINT location_time_windows_location_fkey FOREIGN KEY (org_id, location_id) REFERENCES locations(org_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY location_time_windows
    ADD CONSTRAINT location_time_windows_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id);

ALTER TABLE ONLY locations
    ADD CONSTRAINT locations_calendar_fkey FOREIGN KEY (org_id, calendar_id) REFERENCES calendars(org_id, id);

ALTER TABLE ONLY locations
    ADD CONSTRAINT locations_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id);

ALTER TABLE ONLY message_tallies
    ADD CONSTRAINT message_tallies_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id);

ALTER TABLE ONLY messaging_settings
    ADD CONSTRAINT messaging_settings_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id);

ALTER TABLE ONLY notification_handovers
    ADD CONSTRAINT notification_handovers_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id);

ALTER TABLE ONLY notification_rules
    ADD CONSTRAINT notification_rules_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id);

ALTER TABLE ONLY notification_steps
    ADD CONSTRAINT notification_steps_notification_fkey FOREIGN KEY (org_id, notification_id) REFERENCES notifications(org_id, id);

ALTER TABLE ONLY notifications
    ADD CONSTRAINT notifications_order_fkey FOREIGN KEY (org_id, order_id) REFERENCES orders(org_id, id);

ALTER TABLE ONLY notifications
    ADD CONSTRAINT notifications_retry_of_fkey FOREIGN KEY (org_id, retry_of) REFERENCES notifications(org_id, id);

ALTER TABLE ONLY notifications
    ADD CONSTRAINT notifications_rule_fkey FOREIGN KEY (org_id, rule_id) REFERENCES notification_rules(org_id, id);

ALTER TABLE ONLY oidc_providers
    ADD CONSTRAINT oidc_providers_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id);

ALTER TABLE ONLY oidc_providers
    ADD CONSTRAINT oidc_providers_role_fkey FOREIGN KEY (org_id, new_users_role_id) REFERENCES roles(org_id, id);

ALTER TABLE ONLY order_archives
    ADD CONSTRAINT order_archives_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id);

ALTER TABLE ONLY order_documentations
    ADD CONSTRAINT order_documentations_order_fkey FOREIGN KEY (org_id, order_id) REFERENCES orders(org_id, id);

ALTER TABLE ONLY order_documentations
    ADD CONSTRAINT order_documentations_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id);

ALTER TABLE ONLY order_documentations
    ADD CONSTRAINT order_documentations_stop_fkey FOREIGN KEY (org_id, stop_id) REFERENCES order_stops(org_id, id);

ALTER TABLE ONLY order_documents
    ADD CONSTRAINT order_documents_document_fkey FOREIGN KEY (org_id, document_id) REFERENCES documents(org_id, id);

ALTER TABLE ONLY order_documents
    ADD CONSTRAINT order_documents_order_fkey FOREIGN KEY (org_id, order_id) REFERENCES orders(org_id, id);

ALTER TABLE ONLY order_documents
    ADD CONSTRAINT order_documents_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id);

ALTER TABLE ONLY order_driver_locks
    ADD CONSTRAINT order_driver_locks_driver_fkey FOREIGN KEY (org_id, driver_id) REFERENCES drivers(org_id, id);

ALTER TABLE ONLY order_driver_locks
    ADD CONSTRAINT order_driver_locks_order_fkey FOREIGN KEY (org_id, order_id) REFERENCES orders(org_id, id);

ALTER TABLE ONLY order_driver_locks
    ADD CONSTRAINT order_driver_locks_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id);

ALTER TABLE ONLY order_exports
    ADD CONSTRAINT order_exports_order_fkey FOREIGN KEY (org_id, order_id) REFERENCES orders(org_id, id);

ALTER TABLE ONLY order_group_members
    ADD CONSTRAINT order_group_members_group_fkey FOREIGN KEY (org_id, group_id) REFERENCES order_groups(org_id, id);

ALTER TABLE ONLY order_group_members
    ADD CONSTRAINT order_group_members_order_fkey FOREIGN KEY (org_id, order_id) REFERENCES orders(org_id, id);

ALTER TABLE ONLY order_groups
    ADD CONSTRAINT order_groups_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id);

ALTER TABLE ONLY order_moves
    ADD CONSTRAINT order_moves_order_fkey FOREIGN KEY (org_id, order_id) REFERENCES orders(org_id, id);

ALTER TABLE ONLY order_moves
    ADD CONSTRAINT order_moves_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id);

ALTER TABLE ONLY order_moves
    ADD CONSTRAINT order_moves_status_id_fkey FOREIGN KEY (status_id) REFERENCES order_statuses(id);

ALTER TABLE ONLY order_numbers_by_hand
    ADD CONSTRAINT order_numbers_by_hand_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id);

ALTER TABLE ONLY order_numbers
    ADD CONSTRAINT order_numbers_order_fkey FOREIGN KEY (org_id, order_id) REFERENCES orders(org_id, id);

ALTER TABLE ONLY order_prices
    ADD CONSTRAINT order_prices_order_fkey FOREIGN KEY (org_id, order_id) REFERENCES orders(org_id, id);

ALTER TABLE ONLY order_product_deliveries
    ADD CONSTRAINT order_product_deliveries_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id);

ALTER TABLE ONLY order_product_deliveries
    ADD CONSTRAINT order_product_deliveries_product_fkey FOREIGN KEY (org_id, order_product_id) REFERENCES order_products(org_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY order_product_skills
    ADD CONSTRAINT order_product_skills_product_fkey FOREIGN KEY (org_id, order_product_id) REFERENCES order_products(org_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY order_product_skills
    ADD CONSTRAINT order_product_skills_skill_fkey FOREIGN KEY (org_id, skill_id) REFERENCES skills(org_id, id);

ALTER TABLE ONLY order_product_units
    ADD CONSTRAINT order_product_units_product_fkey FOREIGN KEY (org_id, order_product_id) REFERENCES order_products(org_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY order_products_missing
    ADD CONSTRAINT order_products_missing_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id);

ALTER TABLE ONLY order_products_missing
    ADD CONSTRAINT order_products_missing_product_fkey FOREIGN KEY (org_id, order_product_id) REFERENCES order_products(org_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY order_products
    ADD CONSTRAINT order_products_order_fkey FOREIGN KEY (org_id, order_id) REFERENCES orders(org_id, id);

ALTER TABLE ONLY order_products
    ADD CONSTRAINT order_products_parent_fkey FOREIGN KEY (org_id, parent_id) REFERENCES order_products(org_id, id) DEFERRABLE INITIALLY DEFERRED;

ALTER TABLE ONLY order_progress
    ADD CONSTRAINT order_progress_order_fkey FOREIGN KEY (org_id, order_id) REFERENCES orders(org_id, id);

ALTER TABLE ONLY order_progress
    ADD CONSTRAINT order_progress_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id);

ALTER TABLE ONLY order_prohibited_drivers
    ADD CONSTRAINT order_prohibited_drivers_driver_fkey FOREIGN KEY (org_id, driver_id) REFERENCES drivers(org_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY order_prohibited_drivers
    ADD CONSTRAINT order_prohibited_drivers_order_fkey FOREIGN KEY (org_id, order_id) REFERENCES orders(org_id, id);

ALTER TABLE ONLY order_prohibited_drivers
    ADD CONSTRAINT order_prohibited_drivers_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id);

ALTER TABLE ONLY order_reminders
    ADD CONSTRAINT order_reminders_order_fkey FOREIGN KEY (org_id, order_id) REFERENCES orders(org_id, id);

ALTER TABLE ONLY order_reminders
    ADD CONSTRAINT order_reminders_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id);

ALTER TABLE ONLY order_stops
    ADD CONSTRAINT order_stops_location_fkey FOREIGN KEY (org_id, location_id) REFERENCES locations(org_id, id);

ALTER TABLE ONLY order_stops
    ADD CONSTRAINT order_stops_order_fkey FOREIGN KEY (org_id, order_id) REFERENCES orders(org_id, id);

ALTER TABLE ONLY order_texts
    ADD CONSTRAINT order_texts_order_fkey FOREIGN KEY (org_id, order_id) REFERENCES orders(org_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY order_types
    ADD CONSTRAINT order_types_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id);

ALTER TABLE ONLY orders
    ADD CONSTRAINT orders_consignee_fkey FOREIGN KEY (org_id, consignee_id) REFERENCES customers(org_id, id);

ALTER TABLE ONLY orders
    ADD CONSTRAINT orders_consignor_fkey FOREIGN KEY (org_id, consignor_id) REFERENCES customers(org_id, id);

ALTER TABLE ONLY orders
    ADD CONSTRAINT orders_customer_fkey FOREIGN KEY (org_id, customer_id) REFERENCES customers(org_id, id);

ALTER TABLE ONLY orders
    ADD CONSTRAINT orders_department_fkey FOREIGN KEY (org_id, department_id) REFERENCES departments(org_id, id);

ALTER TABLE ONLY orders
    ADD CONSTRAINT orders_driver_fkey FOREIGN KEY (org_id, driver_id) REFERENCES drivers(org_id, id);

ALTER TABLE ONLY orders
    ADD CONSTRAINT orders_freight_fkey FOREIGN KEY (org_id, freight_id) REFERENCES freights(org_id, id);

ALTER TABLE ONLY orders
    ADD CONSTRAINT orders_order_type_fkey FOREIGN KEY (org_id, order_type_id) REFERENCES order_types(org_id, id);

ALTER TABLE ONLY orders
    ADD CONSTRAINT orders_status_id_fkey FOREIGN KEY (status_id) REFERENCES order_statuses(id);

ALTER TABLE ONLY orders
    ADD CONSTRAINT orders_vehicle_type_fkey FOREIGN KEY (org_id, vehicle_type_id) REFERENCES vehicle_types(org_id, id);

ALTER TABLE ONLY parked_events
    ADD CONSTRAINT parked_events_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id);

ALTER TABLE ONLY passkeys
    ADD CONSTRAINT passkeys_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id);

ALTER TABLE ONLY passkeys
    ADD CONSTRAINT passkeys_user_fkey FOREIGN KEY (org_id, user_id) REFERENCES users(org_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY place_answers
    ADD CONSTRAINT place_answers_org_fkey FOREIGN KEY (org_id) REFERENCES organizations(id);

ALTER TABLE ONLY place_moves
    ADD CONSTRAINT place_moves_org_fkey FOREIGN KEY (org_id) REFERENCES organizations(id);

ALTER TABLE ONLY place_pins
    ADD CONSTRAINT place_pins_org_fkey FOREIGN KEY (org_id) REFERENCES organizations(id);

ALTER TABLE ONLY place_proposals
    ADD CONSTRAINT place_proposals_org_fkey FOREIGN KEY (org_id) REFERENCES organizations(id);

ALTER TABLE ONLY place_work
    ADD CONSTRAINT place_work_org_fkey FOREIGN KEY (org_id) REFERENCES organizations(id);

ALTER TABLE ONLY plan_moved_orders
    ADD CONSTRAINT plan_moved_orders_move_fkey FOREIGN KEY (org_id, move_id) REFERENCES plan_moves(org_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY plan_moved_orders
    ADD CONSTRAINT plan_moved_orders_order_fkey FOREIGN KEY (org_id, order_id) REFERENCES orders(org_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY plan_moved_orders
    ADD CONSTRAINT plan_moved_orders_org_fkey FOREIGN KEY (org_id) REFERENCES organizations(id);

ALTER TABLE ONLY plan_moved_routes
    ADD CONSTRAINT plan_moved_routes_move_fkey FOREIGN KEY (org_id, move_id) REFERENCES plan_moves(org_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY plan_moved_routes
    ADD CONSTRAINT plan_moved_routes_org_fkey FOREIGN KEY (org_id) REFERENCES organizations(id);

ALTER TABLE ONLY plan_moves
    ADD CONSTRAINT plan_moves_org_fkey FOREIGN KEY (org_id) REFERENCES organizations(id);

ALTER TABLE ONLY plan_moves
    ADD CONSTRAINT plan_moves_plan_fkey FOREIGN KEY (org_id, plan_id) REFERENCES plans(org_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY plan_preview_routes
    ADD CONSTRAINT plan_preview_routes_org_fkey FOREIGN KEY (org_id) REFERENCES organizations(id);

ALTER TABLE ONLY plan_preview_routes
    ADD CONSTRAINT plan_preview_routes_preview_fkey FOREIGN KEY (org_id, preview_id) REFERENCES plan_previews(org_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY plan_previews
    ADD CONSTRAINT plan_previews_org_fkey FOREIGN KEY (org_id) REFERENCES organizations(id);

ALTER TABLE ONLY plan_previews
    ADD CONSTRAINT plan_previews_plan_fkey FOREIGN KEY (org_id, plan_id) REFERENCES plans(org_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY plan_released_stops
    ADD CONSTRAINT plan_released_stops_driver_fkey FOREIGN KEY (org_id, driver_id) REFERENCES drivers(org_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY plan_released_stops
    ADD CONSTRAINT plan_released_stops_order_fkey FOREIGN KEY (org_id, order_id) REFERENCES orders(org_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY plan_released_stops
    ADD CONSTRAINT plan_released_stops_org_fkey FOREIGN KEY (org_id) REFERENCES organizations(id);

ALTER TABLE ONLY plan_released_stops
    ADD CONSTRAINT plan_released_stops_plan_fkey FOREIGN KEY (org_id, plan_id) REFERENCES plans(org_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY plan_routes
    ADD CONSTRAINT plan_routes_co_driver_fkey FOREIGN KEY (org_id, co_driver_id) REFERENCES drivers(org_id, id) ON DELETE SET NULL (co_driver_id) NOT VALID;

ALTER TABLE ONLY plan_routes
    ADD CONSTRAINT plan_routes_driver_fkey FOREIGN KEY (org_id, driver_id) REFERENCES drivers(org_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY plan_routes
    ADD CONSTRAINT plan_routes_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id);

ALTER TABLE ONLY plan_routes
    ADD CONSTRAINT plan_routes_plan_fkey FOREIGN KEY (org_id, plan_id) REFERENCES plans(org_id, id);

ALTER TABLE ONLY plan_routes
    ADD CONSTRAINT plan_routes_vehicle_fkey FOREIGN KEY (org_id, vehicle_id) REFERENCES vehicles(org_id, id) ON DELETE SET NULL (vehicle_id);

ALTER TABLE ONLY plan_stops
    ADD CONSTRAINT plan_stops_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id);

ALTER TABLE ONLY plan_stops
    ADD CONSTRAINT plan_stops_route_fkey FOREIGN KEY (org_id, plan_id, driver_id) REFERENCES plan_routes(org_id, plan_id, driver_id) ON DELETE CASCADE;

ALTER TABLE ONLY plan_stops
    ADD CONSTRAINT plan_stops_stop_fkey FOREIGN KEY (org_id, order_id, kind) REFERENCES order_stops(org_id, order_id, kind) ON DELETE CASCADE;

ALTER TABLE ONLY plan_unplanned
    ADD CONSTRAINT plan_unplanned_order_fkey FOREIGN KEY (org_id, order_id) REFERENCES orders(org_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY plan_unplanned
    ADD CONSTRAINT plan_unplanned_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id);

ALTER TABLE ONLY plan_unplanned
    ADD CONSTRAINT plan_unplanned_plan_fkey FOREIGN KEY (org_id, plan_id) REFERENCES plans(org_id, id);

ALTER TABLE ONLY plans
    ADD CONSTRAINT plans_department_fkey FOREIGN KEY (org_id, department_id) REFERENCES departments(org_id, id);

ALTER TABLE ONLY plans
    ADD CONSTRAINT plans_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id);

ALTER TABLE ONLY price_list_lines
    ADD CONSTRAINT price_list_lines_from_fkey FOREIGN KEY (org_id, from_zone_id) REFERENCES zones(org_id, id);

ALTER TABLE ONLY price_list_lines
    ADD CONSTRAINT price_list_lines_level_fkey FOREIGN KEY (org_id, freight_level_id) REFERENCES freight_levels(org_id, id);

ALTER TABLE ONLY price_list_lines
    ADD CONSTRAINT price_list_lines_list_fkey FOREIGN KEY (org_id, price_list_id) REFERENCES price_lists(org_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY price_list_lines
    ADD CONSTRAINT price_list_lines_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id);

ALTER TABLE ONLY price_list_lines
    ADD CONSTRAINT price_list_lines_to_fkey FOREIGN KEY (org_id, to_zone_id) REFERENCES zones(org_id, id);

ALTER TABLE ONLY price_list_order_types
    ADD CONSTRAINT price_list_order_types_list_fkey FOREIGN KEY (org_id, price_list_id) REFERENCES price_lists(org_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY price_list_order_types
    ADD CONSTRAINT price_list_order_types_order_type_fkey FOREIGN KEY (org_id, order_type_id) REFERENCES order_types(org_id, id);

ALTER TABLE ONLY price_list_order_types
    ADD CONSTRAINT price_list_order_types_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id);

ALTER TABLE ONLY price_lists
    ADD CONSTRAINT price_lists_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id);

ALTER TABLE ONLY product_skills
    ADD CONSTRAINT product_skills_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id);

ALTER TABLE ONLY product_skills
    ADD CONSTRAINT product_skills_product_fkey FOREIGN KEY (org_id, product_id) REFERENCES products(org_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY product_skills
    ADD CONSTRAINT product_skills_skill_fkey FOREIGN KEY (org_id, skill_id) REFERENCES skills(org_id, id);

ALTER TABLE ONLY product_units
    ADD CONSTRAINT product_units_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id);

ALTER TABLE ONLY product_units
    ADD CONSTRAINT product_units_product_fkey FOREIGN KEY (org_id, product_id) REFERENCES products(org_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY products
    ADD CONSTRAINT products_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id);

ALTER TABLE ONLY proof_chains
    ADD CONSTRAINT proof_chains_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id);

ALTER TABLE ONLY proof_pictures
    ADD CONSTRAINT proof_pictures_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id);

ALTER TABLE ONLY recipient_instructions
    ADD CONSTRAINT recipient_instructions_order_fkey FOREIGN KEY (org_id, order_id) REFERENCES orders(org_id, id);

ALTER TABLE ONLY recipient_preferences
    ADD CONSTRAINT recipient_preferences_order_fkey FOREIGN KEY (org_id, order_id) REFERENCES orders(org_id, id);

ALTER TABLE ONLY recipient_ratings
    ADD CONSTRAINT recipient_ratings_order_fkey FOREIGN KEY (org_id, order_id) REFERENCES orders(org_id, id);

ALTER TABLE ONLY recovery_codes
    ADD CONSTRAINT recovery_codes_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id);

ALTER TABLE ONLY recovery_codes
    ADD CONSTRAINT recovery_codes_user_fkey FOREIGN KEY (org_id, user_id) REFERENCES users(org_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY recurring_occurrences
    ADD CONSTRAINT recurring_occurrences_template_fkey FOREIGN KEY (org_id, recurring_order_id) REFERENCES recurring_orders(org_id, id);

ALTER TABLE ONLY recurring_order_changes
    ADD CONSTRAINT recurring_order_changes_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id);

ALTER TABLE ONLY recurring_orders
    ADD CONSTRAINT recurring_orders_customer_fkey FOREIGN KEY (org_id, customer_id) REFERENCES customers(org_id, id);

ALTER TABLE ONLY recurring_orders
    ADD CONSTRAINT recurring_orders_delivery_fkey FOREIGN KEY (org_id, delivery_location_id) REFERENCES locations(org_id, id);

ALTER TABLE ONLY recurring_orders
    ADD CONSTRAINT recurring_orders_order_type_fkey FOREIGN KEY (org_id, order_type_id) REFERENCES order_types(org_id, id);

ALTER TABLE ONLY recurring_orders
    ADD CONSTRAINT recurring_orders_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id);

ALTER TABLE ONLY recurring_orders
    ADD CONSTRAINT recurring_orders_pickup_fkey FOREIGN KEY (org_id, pickup_location_id) REFERENCES locations(org_id, id);

ALTER TABLE ONLY recurring_orders
    ADD CONSTRAINT recurring_orders_vehicle_type_fkey FOREIGN KEY (org_id, vehicle_type_id) REFERENCES vehicle_types(org_id, id);

ALTER TABLE ONLY relay_shards
    ADD CONSTRAINT relay_shards_holder_fkey FOREIGN KEY (holder) REFERENCES relay_members(id) ON DELETE SET NULL;

ALTER TABLE ONLY resendings
    ADD CONSTRAINT resendings_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id);

ALTER TABLE ONLY roles
    ADD CONSTRAINT roles_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id);

ALTER TABLE ONLY route_holds
    ADD CONSTRAINT route_holds_driver_fkey FOREIGN KEY (org_id, driver_id) REFERENCES drivers(org_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY route_holds
    ADD CONSTRAINT route_holds_org_fkey FOREIGN KEY (org_id) REFERENCES organizations(id);

ALTER TABLE ONLY route_holds
    ADD CONSTRAINT route_holds_plan_fkey FOREIGN KEY (org_id, plan_id) REFERENCES plans(org_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY sandbox_runs
    ADD CONSTRAINT sandbox_runs_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id);

ALTER TABLE ONLY schedule_holds
    ADD CONSTRAINT schedule_holds_day_fkey FOREIGN KEY (org_id, interval_id, day) REFERENCES schedule_interval_days(org_id, interval_id, day) ON DELETE CASCADE;

ALTER TABLE ONLY schedule_interval_days
    ADD CONSTRAINT schedule_interval_days_interval_fkey FOREIGN KEY (org_id, interval_id) REFERENCES schedule_intervals(org_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY schedule_interval_days
    ADD CONSTRAINT schedule_interval_days_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id);

ALTER TABLE ONLY schedule_interval_freight_levels
    ADD CONSTRAINT schedule_interval_freight_levels_interval_fkey FOREIGN KEY (org_id, interval_id) REFERENCES schedule_intervals(org_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY schedule_interval_freight_levels
    ADD CONSTRAINT schedule_interval_freight_levels_level_fkey FOREIGN KEY (org_id, freight_level_id) REFERENCES freight_levels(org_id, id);

ALTER TABLE ONLY schedule_interval_freight_levels
    ADD CONSTRAINT schedule_interval_freight_levels_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id);

ALTER TABLE ONLY schedule_interval_order_types
    ADD CONSTRAINT schedule_interval_order_types_interval_fkey FOREIGN KEY (org_id, interval_id) REFERENCES schedule_intervals(org_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY schedule_interval_order_types
    ADD CONSTRAINT schedule_interval_order_types_order_type_fkey FOREIGN KEY (org_id, order_type_id) REFERENCES order_types(org_id, id);

ALTER TABLE ONLY schedule_interval_order_types
    ADD CONSTRAINT schedule_interval_order_types_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id);

ALTER TABLE ONLY schedule_interval_zones
    ADD CONSTRAINT schedule_interval_zones_from_fkey FOREIGN KEY (org_id, from_zone_id) REFERENCES zones(org_id, id);

ALTER TABLE ONLY schedule_interval_zones
    ADD CONSTRAINT schedule_interval_zones_interval_fkey FOREIGN KEY (org_id, interval_id) REFERENCES schedule_intervals(org_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY schedule_interval_zones
    ADD CONSTRAINT schedule_interval_zones_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id);

ALTER TABLE ONLY schedule_interval_zones
    ADD CONSTRAINT schedule_interval_zones_to_fkey FOREIGN KEY (org_id, to_zone_id) REFERENCES zones(org_id, id);

ALTER TABLE ONLY schedule_intervals
    ADD CONSTRAINT schedule_intervals_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id);

ALTER TABLE ONLY sessions
    ADD CONSTRAINT sessions_driver_fkey FOREIGN KEY (org_id, driver_id) REFERENCES drivers(org_id, id);

ALTER TABLE ONLY sessions
    ADD CONSTRAINT sessions_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id);

ALTER TABLE ONLY sessions
    ADD CONSTRAINT sessions_user_fkey FOREIGN KEY (org_id, user_id) REFERENCES users(org_id, id);

ALTER TABLE ONLY skills
    ADD CONSTRAINT skills_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id);

ALTER TABLE ONLY sscc_counters
    ADD CONSTRAINT sscc_counters_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id);

ALTER TABLE ONLY stop_approaches
    ADD CONSTRAINT stop_approaches_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id);

ALTER TABLE ONLY stop_approaches
    ADD CONSTRAINT stop_approaches_stop_fkey FOREIGN KEY (org_id, order_id, kind) REFERENCES order_stops(org_id, order_id, kind) ON DELETE CASCADE;

ALTER TABLE ONLY stop_contacts
    ADD CONSTRAINT stop_contacts_stop_fkey FOREIGN KEY (org_id, stop_id) REFERENCES order_stops(org_id, id);

ALTER TABLE ONLY stop_skills
    ADD CONSTRAINT stop_skills_skill_fkey FOREIGN KEY (org_id, skill_id) REFERENCES skills(org_id, id);

ALTER TABLE ONLY stop_skills
    ADD CONSTRAINT stop_skills_stop_fkey FOREIGN KEY (org_id, stop_id) REFERENCES order_stops(org_id, id);

ALTER TABLE ONLY suppressions
    ADD CONSTRAINT suppressions_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id);

ALTER TABLE ONLY totp_seeds
    ADD CONSTRAINT totp_seeds_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id);

ALTER TABLE ONLY totp_seeds
    ADD CONSTRAINT totp_seeds_user_fkey FOREIGN KEY (org_id, user_id) REFERENCES users(org_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY tracking_links
    ADD CONSTRAINT tracking_links_order_fkey FOREIGN KEY (org_id, order_id) REFERENCES orders(org_id, id);

ALTER TABLE ONLY tracking_links
    ADD CONSTRAINT tracking_links_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id);

ALTER TABLE ONLY tracking_links
    ADD CONSTRAINT tracking_links_stop_fkey FOREIGN KEY (org_id, stop_id) REFERENCES order_stops(org_id, id);

ALTER TABLE ONLY transformation_rules
    ADD CONSTRAINT transformation_rules_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id);

ALTER TABLE ONLY travel_block_cells
    ADD CONSTRAINT travel_block_cells_block_fkey FOREIGN KEY (org_id, block_id) REFERENCES travel_blocks(org_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY travel_blocks
    ADD CONSTRAINT travel_blocks_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id);

ALTER TABLE ONLY travel_legs
    ADD CONSTRAINT travel_legs_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id);

ALTER TABLE ONLY travel_proposals
    ADD CONSTRAINT travel_proposals_org_fkey FOREIGN KEY (org_id) REFERENCES organizations(id);

ALTER TABLE ONLY travel_ways
    ADD CONSTRAINT travel_ways_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id);

ALTER TABLE ONLY user_roles
    ADD CONSTRAINT user_roles_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id);

ALTER TABLE ONLY user_roles
    ADD CONSTRAINT user_roles_role_fkey FOREIGN KEY (org_id, role_id) REFERENCES roles(org_id, id);

ALTER TABLE ONLY user_roles
    ADD CONSTRAINT user_roles_user_fkey FOREIGN KEY (org_id, user_id) REFERENCES users(org_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY users
    ADD CONSTRAINT users_department_fkey FOREIGN KEY (org_id, department_id) REFERENCES departments(org_id, id);

ALTER TABLE ONLY users
    ADD CONSTRAINT users_driver_fkey FOREIGN KEY (org_id, driver_id) REFERENCES drivers(org_id, id);

ALTER TABLE ONLY users
    ADD CONSTRAINT users_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id);

ALTER TABLE ONLY vehicle_skills
    ADD CONSTRAINT vehicle_skills_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id);

ALTER TABLE ONLY vehicle_skills
    ADD CONSTRAINT vehicle_skills_skill_fkey FOREIGN KEY (org_id, skill_id) REFERENCES skills(org_id, id);

ALTER TABLE ONLY vehicle_skills
    ADD CONSTRAINT vehicle_skills_vehicle_fkey FOREIGN KEY (org_id, vehicle_id) REFERENCES vehicles(org_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY vehicle_type_also_serves
    ADD CONSTRAINT vehicle_type_also_serves_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id);

ALTER TABLE ONLY vehicle_type_also_serves
    ADD CONSTRAINT vehicle_type_also_serves_served_fkey FOREIGN KEY (org_id, served_type_id) REFERENCES vehicle_types(org_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY vehicle_type_also_serves
    ADD CONSTRAINT vehicle_type_also_serves_type_fkey FOREIGN KEY (org_id, vehicle_type_id) REFERENCES vehicle_types(org_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY vehicle_types
    ADD CONSTRAINT vehicle_types_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id);

ALTER TABLE ONLY vehicles
    ADD CONSTRAINT vehicles_home_fkey FOREIGN KEY (org_id, home_location_id) REFERENCES locations(org_id, id);

ALTER TABLE ONLY vehicles
    ADD CONSTRAINT vehicles_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id);

ALTER TABLE ONLY vehicles
    ADD CONSTRAINT vehicles_type_fkey FOREIGN KEY (org_id, vehicle_type_id) REFERENCES vehicle_types(org_id, id);

ALTER TABLE ONLY webhook_deliveries
    ADD CONSTRAINT webhook_deliveries_endpoint_fkey FOREIGN KEY (org_id, endpoint_id) REFERENCES webhook_endpoints(org_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY webhook_endpoints
    ADD CONSTRAINT webhook_endpoints_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id);

ALTER TABLE ONLY zones
    ADD CONSTRAINT zones_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id);

ALTER TABLE account_codes ENABLE ROW LEVEL SECURITY;

ALTER TABLE alert_rules ENABLE ROW LEVEL SECURITY;

ALTER TABLE alerts ENABLE ROW LEVEL SECURITY;

ALTER TABLE api_keys ENABLE ROW LEVEL SECURITY;

ALTER TABLE archived_proofs ENABLE ROW LEVEL SECURITY;

ALTER TABLE bookings ENABLE ROW LEVEL SECURITY;

ALTER TABLE calendars ENABLE ROW LEVEL SECURITY;

ALTER TABLE cargo_carrier_accounts ENABLE ROW LEVEL SECURITY;

ALTER TABLE cargo_carrier_movements ENABLE ROW LEVEL SECURITY;

ALTER TABLE cargo_carriers ENABLE ROW LEVEL SECURITY;

ALTER TABLE carriers ENABLE ROW LEVEL SECURITY;

ALTER TABLE completion_proof_images ENABLE ROW LEVEL SECURITY;

ALTER TABLE completion_proofs ENABLE ROW LEVEL SECURITY;

ALTER TABLE custom_field_definitions ENABLE ROW LEVEL SECURITY;

ALTER TABLE custom_field_values ENABLE ROW LEVEL SECURITY;

ALTER TABLE customer_prohibited_drivers ENABLE ROW LEVEL SECURITY;

ALTER TABLE customers ENABLE ROW LEVEL SECURITY;

ALTER TABLE delivery_promises ENABLE ROW LEVEL SECURITY;

ALTER TABLE departments ENABLE ROW LEVEL SECURITY;

ALTER TABLE documents ENABLE ROW LEVEL SECURITY;

ALTER TABLE draft_documents ENABLE ROW LEVEL SECURITY;

ALTER TABLE drafts ENABLE ROW LEVEL SECURITY;

ALTER TABLE driven_legs ENABLE ROW LEVEL SECURITY;

ALTER TABLE driver_actions ENABLE ROW LEVEL SECURITY;

ALTER TABLE driver_days ENABLE ROW LEVEL SECURITY;

ALTER TABLE driver_messages ENABLE ROW LEVEL SECURITY;

ALTER TABLE driver_positions ENABLE ROW LEVEL SECURITY;

ALTER TABLE driver_skills ENABLE ROW LEVEL SECURITY;

ALTER TABLE driver_whereabouts ENABLE ROW LEVEL SECURITY;

ALTER TABLE driver_workday_rules ENABLE ROW LEVEL SECURITY;

ALTER TABLE driver_workdays ENABLE ROW LEVEL SECURITY;

ALTER TABLE drivers ENABLE ROW LEVEL SECURITY;

ALTER TABLE erased_addresses ENABLE ROW LEVEL SECURITY;

ALTER TABLE erasure_keys ENABLE ROW LEVEL SECURITY;

ALTER TABLE erasures ENABLE ROW LEVEL SECURITY;

ALTER TABLE erp_orders ENABLE ROW LEVEL SECURITY;

ALTER TABLE events ENABLE ROW LEVEL SECURITY;

ALTER TABLE events_default ENABLE ROW LEVEL SECURITY;

ALTER TABLE exceptions ENABLE ROW LEVEL SECURITY;

ALTER TABLE export_acknowledgements ENABLE ROW LEVEL SECURITY;

ALTER TABLE export_versions ENABLE ROW LEVEL SECURITY;

ALTER TABLE export_walks ENABLE ROW LEVEL SECURITY;

ALTER TABLE external_updates ENABLE ROW LEVEL SECURITY;

ALTER TABLE freight_levels ENABLE ROW LEVEL SECURITY;

ALTER TABLE freights ENABLE ROW LEVEL SECURITY;

ALTER TABLE idempotency_keys ENABLE ROW LEVEL SECURITY;

ALTER TABLE identities ENABLE ROW LEVEL SECURITY;

ALTER TABLE import_chunks ENABLE ROW LEVEL SECURITY;

ALTER TABLE import_results ENABLE ROW LEVEL SECURITY;

ALTER TABLE imports ENABLE ROW LEVEL SECURITY;

ALTER TABLE live_etas ENABLE ROW LEVEL SECURITY;

ALTER TABLE location_names ENABLE ROW LEVEL SECURITY;

ALTER TABLE location_prohibited_drivers ENABLE ROW LEVEL SECURITY;

ALTER TABLE location_time_windows ENABLE ROW LEVEL SECURITY;

ALTER TABLE locations ENABLE ROW LEVEL SECURITY;

ALTER TABLE message_tallies ENABLE ROW LEVEL SECURITY;

ALTER TABLE messaging_settings ENABLE ROW LEVEL SECURITY;

ALTER TABLE notification_handovers ENABLE ROW LEVEL SECURITY;

ALTER TABLE notification_rules ENABLE ROW LEVEL SECURITY;

ALTER TABLE notification_steps ENABLE ROW LEVEL SECURITY;

ALTER TABLE notifications ENABLE ROW LEVEL SECURITY;

ALTER TABLE oidc_providers ENABLE ROW LEVEL SECURITY;

ALTER TABLE order_archives ENABLE ROW LEVEL SECURITY;

ALTER TABLE order_documentations ENABLE ROW LEVEL SECURITY;

ALTER TABLE order_documents ENABLE ROW LEVEL SECURITY;

ALTER TABLE order_driver_locks ENABLE ROW LEVEL SECURITY;

ALTER TABLE order_exports ENABLE ROW LEVEL SECURITY;

ALTER TABLE order_group_members ENABLE ROW LEVEL SECURITY;

ALTER TABLE order_groups ENABLE ROW LEVEL SECURITY;

ALTER TABLE order_moves ENABLE ROW LEVEL SECURITY;

ALTER TABLE order_numbers ENABLE ROW LEVEL SECURITY;

ALTER TABLE order_numbers_by_hand ENABLE ROW LEVEL SECURITY;

ALTER TABLE order_prices ENABLE ROW LEVEL SECURITY;

ALTER TABLE order_product_deliveries ENABLE ROW LEVEL SECURITY;

ALTER TABLE order_product_skills ENABLE ROW LEVEL SECURITY;

ALTER TABLE order_product_units ENABLE ROW LEVEL SECURITY;

ALTER TABLE order_products ENABLE ROW LEVEL SECURITY;

ALTER TABLE order_products_missing ENABLE ROW LEVEL SECURITY;

ALTER TABLE order_progress ENABLE ROW LEVEL SECURITY;

ALTER TABLE order_prohibited_drivers ENABLE ROW LEVEL SECURITY;

ALTER TABLE order_reminders ENABLE ROW LEVEL SECURITY;

ALTER TABLE order_stops ENABLE ROW LEVEL SECURITY;

ALTER TABLE order_texts ENABLE ROW LEVEL SECURITY;

ALTER TABLE order_types ENABLE ROW LEVEL SECURITY;

ALTER TABLE orders ENABLE ROW LEVEL SECURITY;

ALTER TABLE organizations ENABLE ROW LEVEL SECURITY;

ALTER TABLE parked_events ENABLE ROW LEVEL SECURITY;

ALTER TABLE passkeys ENABLE ROW LEVEL SECURITY;

ALTER TABLE place_answers ENABLE ROW LEVEL SECURITY;

ALTER TABLE place_moves ENABLE ROW LEVEL SECURITY;

ALTER TABLE place_pins ENABLE ROW LEVEL SECURITY;

ALTER TABLE place_proposals ENABLE ROW LEVEL SECURITY;

ALTER TABLE place_work ENABLE ROW LEVEL SECURITY;

ALTER TABLE plan_moved_orders ENABLE ROW LEVEL SECURITY;

ALTER TABLE plan_moved_routes ENABLE ROW LEVEL SECURITY;

ALTER TABLE plan_moves ENABLE ROW LEVEL SECURITY;

ALTER TABLE plan_preview_routes ENABLE ROW LEVEL SECURITY;

ALTER TABLE plan_previews ENABLE ROW LEVEL SECURITY;

ALTER TABLE plan_released_stops ENABLE ROW LEVEL SECURITY;

ALTER TABLE plan_routes ENABLE ROW LEVEL SECURITY;

ALTER TABLE plan_stops ENABLE ROW LEVEL SECURITY;

ALTER TABLE plan_unplanned ENABLE ROW LEVEL SECURITY;

ALTER TABLE plans ENABLE ROW LEVEL SECURITY;

ALTER TABLE price_list_lines ENABLE ROW LEVEL SECURITY;

ALTER TABLE price_list_order_types ENABLE ROW LEVEL SECURITY;

ALTER TABLE price_lists ENABLE ROW LEVEL SECURITY;

ALTER TABLE product_skills ENABLE ROW LEVEL SECURITY;

ALTER TABLE product_units ENABLE ROW LEVEL SECURITY;

ALTER TABLE products ENABLE ROW LEVEL SECURITY;

ALTER TABLE proof_chains ENABLE ROW LEVEL SECURITY;

ALTER TABLE proof_pictures ENABLE ROW LEVEL SECURITY;

ALTER TABLE recipient_instructions ENABLE ROW LEVEL SECURITY;

ALTER TABLE recipient_preferences ENABLE ROW LEVEL SECURITY;

ALTER TABLE recipient_ratings ENABLE ROW LEVEL SECURITY;

ALTER TABLE recovery_codes ENABLE ROW LEVEL SECURITY;

ALTER TABLE recurring_occurrences ENABLE ROW LEVEL SECURITY;

ALTER TABLE recurring_order_changes ENABLE ROW LEVEL SECURITY;

ALTER TABLE recurring_orders ENABLE ROW LEVEL SECURITY;

ALTER TABLE refused_carrier_updates ENABLE ROW LEVEL SECURITY;

ALTER TABLE resendings ENABLE ROW LEVEL SECURITY;

ALTER TABLE roles ENABLE ROW LEVEL SECURITY;

ALTER TABLE route_holds ENABLE ROW LEVEL SECURITY;

ALTER TABLE sandbox_runs ENABLE ROW LEVEL SECURITY;

ALTER TABLE schedule_holds ENABLE ROW LEVEL SECURITY;

ALTER TABLE schedule_interval_days ENABLE ROW LEVEL SECURITY;

ALTER TABLE schedule_interval_freight_levels ENABLE ROW LEVEL SECURITY;

ALTER TABLE schedule_interval_order_types ENABLE ROW LEVEL SECURITY;

ALTER TABLE schedule_interval_zones ENABLE ROW LEVEL SECURITY;

ALTER TABLE schedule_intervals ENABLE ROW LEVEL SECURITY;

ALTER TABLE sessions ENABLE ROW LEVEL SECURITY;

ALTER TABLE skills ENABLE ROW LEVEL SECURITY;

ALTER TABLE sscc_counters ENABLE ROW LEVEL SECURITY;

ALTER TABLE stop_approaches ENABLE ROW LEVEL SECURITY;

ALTER TABLE stop_contacts ENABLE ROW LEVEL SECURITY;

ALTER TABLE stop_skills ENABLE ROW LEVEL SECURITY;

ALTER TABLE suppressions ENABLE ROW LEVEL SECURITY;

CREATE POLICY tenant ON account_codes USING ((org_id = current_org())) WITH CHECK ((org_id = current_org()));

CREATE POLICY tenant ON alert_rules USING ((org_id = current_org())) WITH CHECK ((org_id = current_org()));

CREATE POLICY tenant ON alerts USING ((org_id = current_org())) WITH CHECK ((org_id = current_org()));

CREATE POLICY tenant ON api_keys USING ((org_id = current_org())) WITH CHECK ((org_id = current_org()));

CREATE POLICY tenant ON archived_proofs USING ((org_id = current_org())) WITH CHECK ((org_id = current_org()));

CREATE POLICY tenant ON bookings USING ((org_id = current_org())) WITH CHECK ((org_id = current_org()));

CREATE POLICY tenant ON calendars USING ((org_id = current_org())) WITH CHECK ((org_id = current_org()));

CREATE POLICY tenant ON cargo_carrier_accounts USING ((org_id = current_org())) WITH CHECK ((org_id = current_org()));

CREATE POLICY tenant ON cargo_carrier_movements USING ((org_id = current_org())) WITH CHECK ((org_id = current_org()));

CREATE POLICY tenant ON cargo_carriers USING ((org_id = current_org())) WITH CHECK ((org_id = current_org()));

CREATE POLICY tenant ON carriers USING ((org_id = current_org())) WITH CHECK ((org_id = current_org()));

CREATE POLICY tenant ON completion_proof_images USING ((org_id = current_org())) WITH CHECK ((org_id = current_org()));

CREATE POLICY tenant ON completion_proofs USING ((org_id = current_org())) WITH CHECK ((org_id = current_org()));

CREATE POLICY tenant ON custom_field_definitions USING ((org_id = current_org())) WITH CHECK ((org_id = current_org()));

CREATE POLICY tenant ON custom_field_values USING ((org_id = current_org())) WITH CHECK ((org_id = current_org()));

CREATE POLICY tenant ON customer_prohibited_drivers USING ((org_id = current_org())) WITH CHECK ((org_id = current_org()));

CREATE POLICY tenant ON customers USING ((org_id = current_org())) WITH CHECK ((org_id = current_org()));

CREATE POLICY tenant ON delivery_promises USING ((org_id = current_org())) WITH CHECK ((org_id = current_org()));

CREATE POLICY tenant ON departments USING ((org_id = current_org())) WITH CHECK ((org_id = current_org()));

CREATE POLICY tenant ON documents USING ((org_id = current_org())) WITH CHECK ((org_id = current_org()));

CREATE POLICY tenant ON draft_documents USING ((org_id = current_org())) WITH CHECK ((org_id = current_org()));

CREATE POLICY tenant ON drafts USING ((org_id = current_org())) WITH CHECK ((org_id = current_org()));

CREATE POLICY tenant ON driven_legs USING ((org_id = current_org())) WITH CHECK ((org_id = current_org()));

CREATE POLICY tenant ON driver_actions USING ((org_id = current_org())) WITH CHECK ((org_id = current_org()));

CREATE POLICY tenant ON driver_days USING ((org_id = current_org())) WITH CHECK ((org_id = current_org()));

CREATE POLICY tenant ON driver_messages USING ((org_id = current_org())) WITH CHECK ((org_id = current_org()));

CREATE POLICY tenant ON driver_positions USING ((org_id = current_org())) WITH CHECK ((org_id = current_org()));

CREATE POLICY tenant ON driver_skills USING ((org_id = current_org())) WITH CHECK ((org_id = current_org()));

CREATE POLICY tenant ON driver_whereabouts USING ((org_id = current_org())) WITH CHECK ((org_id = current_org()));

CREATE POLICY tenant ON driver_workday_rules USING ((org_id = current_org())) WITH CHECK ((org_id = current_org()));

CREATE POLICY tenant ON driver_workdays USING ((org_id = current_org())) WITH CHECK ((org_id = current_org()));

CREATE POLICY tenant ON drivers USING ((org_id = current_org())) WITH CHECK ((org_id = current_org()));

CREATE POLICY tenant ON erased_addresses USING ((org_id = current_org())) WITH CHECK ((org_id = current_org()));

CREATE POLICY tenant ON erasure_keys USING ((org_id = current_org())) WITH CHECK ((org_id = current_org()));

CREATE POLICY tenant ON erasures USING ((org_id = current_org())) WITH CHECK ((org_id = current_org()));

CREATE POLICY tenant ON erp_orders USING ((org_id = current_org())) WITH CHECK ((org_id = current_org()));

CREATE POLICY tenant ON events USING ((org_id = current_org())) WITH CHECK ((org_id = current_org()));

CREATE POLICY tenant ON events_default USING ((org_id = current_org())) WITH CHECK ((org_id = current_org()));

CREATE POLICY tenant ON exceptions USING ((org_id = current_org())) WITH CHECK ((org_id = current_org()));

CREATE POLICY tenant ON export_acknowledgements USING ((org_id = current_org())) WITH CHECK ((org_id = current_org()));

CREATE POLICY tenant ON export_versions USING ((org_id = current_org())) WITH CHECK ((org_id = current_org()));

CREATE POLICY tenant ON export_walks USING ((org_id = current_org())) WITH CHECK ((org_id = current_org()));

CREATE POLICY tenant ON external_updates USING ((org_id = current_org())) WITH CHECK ((org_id = current_org()));

CREATE POLICY tenant ON freight_levels USING ((org_id = current_org())) WITH CHECK ((org_id = current_org()));

CREATE POLICY tenant ON freights USING ((org_id = current_org())) WITH CHECK ((org_id = current_org()));

CREATE POLICY tenant ON idempotency_keys USING ((org_id = current_org())) WITH CHECK ((org_id = current_org()));

CREATE POLICY tenant ON identities USING ((org_id = current_org())) WITH CHECK ((org_id = current_org()));

CREATE POLICY tenant ON import_chunks USING ((org_id = current_org())) WITH CHECK ((org_id = current_org()));

CREATE POLICY tenant ON import_results USING ((org_id = current_org())) WITH CHECK ((org_id = current_org()));

CREATE POLICY tenant ON imports USING ((org_id = current_org())) WITH CHECK ((org_id = current_org()));

CREATE POLICY tenant ON live_etas USING ((org_id = current_org())) WITH CHECK ((org_id = current_org()));

CREATE POLICY tenant ON location_names USING ((org_id = current_org())) WITH CHECK ((org_id = current_org()));

CREATE POLICY tenant ON location_prohibited_drivers USING ((org_id = current_org())) WITH CHECK ((org_id = current_org()));

CREATE POLICY tenant ON location_time_windows USING ((org_id = current_org())) WITH CHECK ((org_id = current_org()));

CREATE POLICY tenant ON locations USING ((org_id = current_org())) WITH CHECK ((org_id = current_org()));

CREATE POLICY tenant ON message_tallies USING ((org_id = current_org())) WITH CHECK ((org_id = current_org()));

CREATE POLICY tenant ON messaging_settings USING ((org_id = current_org())) WITH CHECK ((org_id = current_org()));

CREATE POLICY tenant ON notification_handovers USING ((org_id = current_org())) WITH CHECK ((org_id = current_org()));

CREATE POLICY tenant ON notification_rules USING ((org_id = current_org())) WITH CHECK ((org_id = current_org()));

CREATE POLICY tenant ON notification_steps USING ((org_id = current_org())) WITH CHECK ((org_id = current_org()));

CREATE POLICY tenant ON notifications USING ((org_id = current_org())) WITH CHECK ((org_id = current_org()));

CREATE POLICY tenant ON oidc_providers USING ((org_id = current_org())) WITH CHECK ((org_id = current_org()));

CREATE POLICY tenant ON order_archives USING ((org_id = current_org())) WITH CHECK ((org_id = current_org()));

CREATE POLICY tenant ON order_documentations USING ((org_id = current_org())) WITH CHECK ((org_id = current_org()));

CREATE POLICY tenant ON order_documents USING ((org_id = current_org())) WITH CHECK ((org_id = current_org()));

CREATE POLICY tenant ON order_driver_locks USING ((org_id = current_org())) WITH CHECK ((org_id = current_org()));

CREATE POLICY tenant ON order_exports USING ((org_id = current_org())) WITH CHECK ((org_id = current_org()));

CREATE POLICY tenant ON order_group_members USING ((org_id = current_org())) WITH CHECK ((org_id = current_org()));

CREATE POLICY tenant ON order_groups USING ((org_id = current_org())) WITH CHECK ((org_id = current_org()));

CREATE POLICY tenant ON order_moves USING ((org_id = current_org())) WITH CHECK ((org_id = current_org()));

CREATE POLICY tenant ON order_numbers USING ((org_id = current_org())) WITH CHECK ((org_id = current_org()));

CREATE POLICY tenant ON order_numbers_by_hand USING ((org_id = current_org())) WITH CHECK ((org_id = current_org()));

CREATE POLICY tenant ON order_prices USING ((org_id = current_org())) WITH CHECK ((org_id = current_org()));

CREATE POLICY tenant ON order_product_deliveries USING ((org_id = current_org())) WITH CHECK ((org_id = current_org()));

CREATE POLICY tenant ON order_product_skills USING ((org_id = current_org())) WITH CHECK ((org_id = current_org()));

CREATE POLICY tenant ON order_product_units USING ((org_id = current_org())) WITH CHECK ((org_id = current_org()));

CREATE POLICY tenant ON order_products USING ((org_id = current_org())) WITH CHECK ((org_id = current_org()));

CREATE POLICY tenant ON order_products_missing USING ((org_id = current_org())) WITH CHECK ((org_id = current_org()));

CREATE POLICY tenant ON order_progress USING ((org_id = current_org())) WITH CHECK ((org_id = current_org()));

CREATE POLICY tenant ON order_prohibited_drivers USING ((org_id = current_org())) WITH CHECK ((org_id = current_org()));

CREATE POLICY tenant ON order_reminders USING ((org_id = current_org())) WITH CHECK ((org_id = current_org()));

CREATE POLICY tenant ON order_stops USING ((org_id = current_org())) WITH CHECK ((org_id = current_org()));

CREATE POLICY tenant ON order_texts USING ((org_id = current_org())) WITH CHECK ((org_id = current_org()));

CREATE POLICY tenant ON order_types USING ((org_id = current_org())) WITH CHECK ((org_id = current_org()));

CREATE POLICY tenant ON orders USING ((org_id = current_org())) WITH CHECK ((org_id = current_org()));

CREATE POLICY tenant ON organizations USING ((id = current_org())) WITH CHECK ((id = current_org()));

CREATE POLICY tenant ON parked_events USING ((org_id = current_org())) WITH CHECK ((org_id = current_org()));

CREATE POLICY tenant ON passkeys USING ((org_id = current_org())) WITH CHECK ((org_id = current_org()));

CREATE POLICY tenant ON place_answers USING ((org_id = current_org())) WITH CHECK ((org_id = current_org()));

CREATE POLICY tenant ON place_moves USING ((org_id = current_org())) WITH CHECK ((org_id = current_org()));

CREATE POLICY tenant ON place_pins USING ((org_id = current_org())) WITH CHECK ((org_id = current_org()));

CREATE POLICY tenant ON place_proposals USING ((org_id = current_org())) WITH CHECK ((org_id = current_org()));

CREATE POLICY tenant ON place_work USING ((org_id = current_org())) WITH CHECK ((org_id = current_org()));

CREATE POLICY tenant ON plan_moved_orders USING ((org_id = current_org())) WITH CHECK ((org_id = current_org()));

CREATE POLICY tenant ON plan_moved_routes USING ((org_id = current_org())) WITH CHECK ((org_id = current_org()));

CREATE POLICY tenant ON plan_moves USING ((org_id = current_org())) WITH CHECK ((org_id = current_org()));

CREATE POLICY tenant ON plan_preview_routes USING ((org_id = current_org())) WITH CHECK ((org_id = current_org()));

CREATE POLICY tenant ON plan_previews USING ((org_id = current_org())) WITH CHECK ((org_id = current_org()));

CREATE POLICY tenant ON plan_released_stops USING ((org_id = current_org())) WITH CHECK ((org_id = current_org()));

CREATE POLICY tenant ON plan_routes USING ((org_id = current_org())) WITH CHECK ((org_id = current_org()));

CREATE POLICY tenant ON plan_stops USING ((org_id = current_org())) WITH CHECK ((org_id = current_org()));

CREATE POLICY tenant ON plan_unplanned USING ((org_id = current_org())) WITH CHECK ((org_id = current_org()));

CREATE POLICY tenant ON plans USING ((org_id = current_org())) WITH CHECK ((org_id = current_org()));

CREATE POLICY tenant ON price_list_lines USING ((org_id = current_org())) WITH CHECK ((org_id = current_org()));

CREATE POLICY tenant ON price_list_order_types USING ((org_id = current_org())) WITH CHECK ((org_id = current_org()));

CREATE POLICY tenant ON price_lists USING ((org_id = current_org())) WITH CHECK ((org_id = current_org()));

CREATE POLICY tenant ON product_skills USING ((org_id = current_org())) WITH CHECK ((org_id = current_org()));

CREATE POLICY tenant ON product_units USING ((org_id = current_org())) WITH CHECK ((org_id = current_org()));

CREATE POLICY tenant ON products USING ((org_id = current_org())) WITH CHECK ((org_id = current_org()));

CREATE POLICY tenant ON proof_chains USING ((org_id = current_org())) WITH CHECK ((org_id = current_org()));

CREATE POLICY tenant ON proof_pictures USING ((org_id = current_org())) WITH CHECK ((org_id = current_org()));

CREATE POLICY tenant ON recipient_instructions USING ((org_id = current_org())) WITH CHECK ((org_id = current_org()));

CREATE POLICY tenant ON recipient_preferences USING ((org_id = current_org())) WITH CHECK ((org_id = current_org()));

CREATE POLICY tenant ON recipient_ratings USING ((org_id = current_org())) WITH CHECK ((org_id = current_org()));

CREATE POLICY tenant ON recovery_codes USING ((org_id = current_org())) WITH CHECK ((org_id = current_org()));

CREATE POLICY tenant ON recurring_occurrences USING ((org_id = current_org())) WITH CHECK ((org_id = current_org()));

CREATE POLICY tenant ON recurring_order_changes USING ((org_id = current_org())) WITH CHECK ((org_id = current_org()));

CREATE POLICY tenant ON recurring_orders USING ((org_id = current_org())) WITH CHECK ((org_id = current_org()));

CREATE POLICY tenant ON refused_carrier_updates USING ((org_id = current_org())) WITH CHECK ((org_id = current_org()));

CREATE POLICY tenant ON resendings USING ((org_id = current_org())) WITH CHECK ((org_id = current_org()));

CREATE POLICY tenant ON roles USING ((org_id = current_org())) WITH CHECK ((org_id = current_org()));

CREATE POLICY tenant ON route_holds USING ((org_id = current_org())) WITH CHECK ((org_id = current_org()));

CREATE POLICY tenant ON sandbox_runs USING ((org_id = current_org())) WITH CHECK ((org_id = current_org()));

CREATE POLICY tenant ON schedule_holds USING ((org_id = current_org())) WITH CHECK ((org_id = current_org()));

CREATE POLICY tenant ON schedule_interval_days USING ((org_id = current_org())) WITH CHECK ((org_id = current_org()));

CREATE POLICY tenant ON schedule_interval_freight_levels USING ((org_id = current_org())) WITH CHECK ((org_id = current_org()));

CREATE POLICY tenant ON schedule_interval_order_types USING ((org_id = current_org())) WITH CHECK ((org_id = current_org()));

CREATE POLICY tenant ON schedule_interval_zones USING ((org_id = current_org())) WITH CHECK ((org_id = current_org()));

CREATE POLICY tenant ON schedule_intervals USING ((org_id = current_org())) WITH CHECK ((org_id = current_org()));

CREATE POLICY tenant ON sessions USING ((org_id = current_org())) WITH CHECK ((org_id = current_org()));

CREATE POLICY tenant ON skills USING ((org_id = current_org())) WITH CHECK ((org_id = current_org()));

CREATE POLICY tenant ON sscc_counters USING ((org_id = current_org())) WITH CHECK ((org_id = current_org()));

CREATE POLICY tenant ON stop_approaches USING ((org_id = current_org())) WITH CHECK ((org_id = current_org()));

CREATE POLICY tenant ON stop_contacts USING ((org_id = current_org())) WITH CHECK ((org_id = current_org()));

CREATE POLICY tenant ON stop_skills USING ((org_id = current_org())) WITH CHECK ((org_id = current_org()));

CREATE POLICY tenant ON suppressions USING ((org_id = current_org())) WITH CHECK ((org_id = current_org()));

CREATE POLICY tenant ON totp_seeds USING ((org_id = current_org())) WITH CHECK ((org_id = current_org()));

CREATE POLICY tenant ON tracking_links USING ((org_id = current_org())) WITH CHECK ((org_id = current_org()));

CREATE POLICY tenant ON transformation_rules USING ((org_id = current_org())) WITH CHECK ((org_id = current_org()));

CREATE POLICY tenant ON travel_block_cells USING ((org_id = current_org())) WITH CHECK ((org_id = current_org()));

CREATE POLICY tenant ON travel_blocks USING ((org_id = current_org())) WITH CHECK ((org_id = current_org()));

CREATE POLICY tenant ON travel_legs USING ((org_id = current_org())) WITH CHECK ((org_id = current_org()));

CREATE POLICY tenant ON travel_proposals USING ((org_id = current_org())) WITH CHECK ((org_id = current_org()));

CREATE POLICY tenant ON travel_ways USING ((org_id = current_org())) WITH CHECK ((org_id = current_org()));

CREATE POLICY tenant ON user_roles USING ((org_id = current_org())) WITH CHECK ((org_id = current_org()));

CREATE POLICY tenant ON users USING ((org_id = current_org())) WITH CHECK ((org_id = current_org()));

CREATE POLICY tenant ON vehicle_skills USING ((org_id = current_org())) WITH CHECK ((org_id = current_org()));

CREATE POLICY tenant ON vehicle_type_also_serves USING ((org_id = current_org())) WITH CHECK ((org_id = current_org()));

CREATE POLICY tenant ON vehicle_types USING ((org_id = current_org())) WITH CHECK ((org_id = current_org()));

CREATE POLICY tenant ON vehicles USING ((org_id = current_org())) WITH CHECK ((org_id = current_org()));

CREATE POLICY tenant ON webhook_attempts USING ((org_id = current_org())) WITH CHECK ((org_id = current_org()));

CREATE POLICY tenant ON webhook_deliveries USING ((org_id = current_org())) WITH CHECK ((org_id = current_org()));

CREATE POLICY tenant ON webhook_endpoints USING ((org_id = current_org())) WITH CHECK ((org_id = current_org()));

CREATE POLICY tenant ON zones USING ((org_id = current_org())) WITH CHECK ((org_id = current_org()));

ALTER TABLE totp_seeds ENABLE ROW LEVEL SECURITY;

ALTER TABLE tracking_links ENABLE ROW LEVEL SECURITY;

ALTER TABLE transformation_rules ENABLE ROW LEVEL SECURITY;

ALTER TABLE travel_block_cells ENABLE ROW LEVEL SECURITY;

ALTER TABLE travel_blocks ENABLE ROW LEVEL SECURITY;

ALTER TABLE travel_legs ENABLE ROW LEVEL SECURITY;

ALTER TABLE travel_proposals ENABLE ROW LEVEL SECURITY;

ALTER TABLE travel_ways ENABLE ROW LEVEL SECURITY;

ALTER TABLE user_roles ENABLE ROW LEVEL SECURITY;

ALTER TABLE users ENABLE ROW LEVEL SECURITY;

ALTER TABLE vehicle_skills ENABLE ROW LEVEL SECURITY;

ALTER TABLE vehicle_type_also_serves ENABLE ROW LEVEL SECURITY;

ALTER TABLE vehicle_types ENABLE ROW LEVEL SECURITY;

ALTER TABLE vehicles ENABLE ROW LEVEL SECURITY;

ALTER TABLE webhook_attempts ENABLE ROW LEVEL SECURITY;

ALTER TABLE webhook_deliveries ENABLE ROW LEVEL SECURITY;

ALTER TABLE webhook_endpoints ENABLE ROW LEVEL SECURITY;

ALTER TABLE zones ENABLE ROW LEVEL SECURITY;
