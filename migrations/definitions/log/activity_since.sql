-- How many events each organization caused since a moment, by kind, and how many bytes
-- they take. It looks at no more than the newest events, so that it is quick whatever
-- happens; is_whole says whether these reach back to the moment. An organization of 0
-- is all of them.
CREATE OR REPLACE FUNCTION activity_since(since timestamptz, organization bigint, most integer)
RETURNS TABLE (org_id bigint, slug text, kind text, events bigint, bytes bigint, is_whole boolean)
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp SET jit = off
    SET enable_seqscan = off SET enable_sort = off
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

REVOKE EXECUTE ON FUNCTION activity_since FROM PUBLIC;
GRANT EXECUTE ON FUNCTION activity_since TO waybill_app;
