-- A page of the messages whose address contains a text, and how many there
-- are. LIKE is not leakproof, so below a policy the planner may not use the
-- index for it; this goes round the policy and says itself what the policy
-- says. wanted_order is null for all messages, and 0 for those of no order.
CREATE OR REPLACE FUNCTION search_notifications(
    wanted_channel text, pattern text, wanted_order bigint, ascending boolean, page_size integer, page_offset bigint)
RETURNS TABLE (id bigint, total bigint)
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp
AS $$
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
$$;

REVOKE EXECUTE ON FUNCTION search_notifications FROM PUBLIC;
GRANT EXECUTE ON FUNCTION search_notifications TO waybill_app;
