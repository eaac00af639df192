-- The orders with all words of a term, or with the term in one piece. Like
-- find_orders_by_text, it works as the owner of the tables and asks for the session's
-- organization. The words are letters and digits, so the patterns need no escapes.
CREATE OR REPLACE FUNCTION find_orders_by_words(term text, most integer) RETURNS SETOF bigint
    LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 100
    SET search_path = public, pg_temp
    SET enable_seqscan = off
    SET enable_indexscan = off
    SET jit = off
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

REVOKE EXECUTE ON FUNCTION find_orders_by_words FROM PUBLIC;
GRANT EXECUTE ON FUNCTION find_orders_by_words TO waybill_app;
