-- The events of some kinds between two places of the log, of the organizations of
-- shards or of one of them (0 is all), oldest first. The relay serves everybody, so
-- it goes round the policies.
CREATE OR REPLACE FUNCTION events_between(after bigint, upto bigint, shards smallint[], org bigint, kinds text[])
RETURNS TABLE (org_id bigint, shard smallint, id bigint, "position" bigint, kind text, order_id bigint, draft_id bigint,
    external_id text, order_status_id smallint, stop text, recorded_at timestamptz)
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp SET jit = off
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

REVOKE EXECUTE ON FUNCTION events_between FROM PUBLIC;
GRANT EXECUTE ON FUNCTION events_between TO waybill_app;
