-- The orders with a term as a whole word: bd1017 finds BD-1017, and BD-10170 is another
-- word. Like find_orders_by_words, it works as the owner of the tables and asks for the
-- session's organization. The word consists of letters and digits, so the pattern needs
-- no escapes.
CREATE OR REPLACE FUNCTION find_orders_by_word(term text, most integer) RETURNS SETOF bigint
    LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 100
    SET search_path = public, pg_temp
    SET enable_seqscan = off
    SET enable_indexscan = off
    SET jit = off
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

REVOKE EXECUTE ON FUNCTION find_orders_by_word FROM PUBLIC;
GRANT EXECUTE ON FUNCTION find_orders_by_word TO waybill_app;
