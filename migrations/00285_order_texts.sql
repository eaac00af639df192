-- +goose Up
-- Orders are found by any part of what people know of them: a number, a recipient, a
-- telephone number, a street, a postal code. The texts of an order are kept together,
-- so that one index answers. They are filled in 00286_order_texts_filled.sql.
CREATE TABLE order_texts (
    org_id   bigint NOT NULL,
    order_id bigint NOT NULL,
    -- Folded words with a space before and behind each.
    text     text NOT NULL,
    CONSTRAINT order_texts_pkey PRIMARY KEY (org_id, order_id),
    CONSTRAINT order_texts_order_fkey FOREIGN KEY (org_id, order_id) REFERENCES orders (org_id, id) ON DELETE CASCADE
);
SELECT guard_tenant('order_texts');
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX order_texts_search_idx ON order_texts USING gin (org_id, text gin_trgm_ops);

-- +goose StatementBegin
-- Text in lower case, without accents and punctuation: Grünerløkka is grunerlokka. Only
-- + stays, which begins a telephone number.
CREATE FUNCTION fold_text(written text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN btrim(regexp_replace(replace(replace(replace(replace(translate(lower(written),
        'ØøÅåÄäÖöÜüÉéÈèÊêËëÁáÀàÂâÃãÍíÌìÎîÏïÓóÒòÔôÕõÚúÙùÛûÑñÇçÝýŠšŽžČčĆćŚśŻżŹźŃńĘęĄąŁłÐðĐđ',
        'ooaaaaoouueeeeeeeeaaaaaaaaiiiiiiiioooooooouuuuuunnccyysszzccccsszzzznneeaalldddd'),
        'Æ', 'ae'), 'æ', 'ae'), 'ß', 'ss'), 'aa', 'a'), '[^[:alnum:]+]+', ' ', 'g'));

-- The same without spaces: bd1017 for BD-1017, +4792100629 for +47 921 00 629.
CREATE FUNCTION compact_text(written text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN replace(fold_text(written), ' ', '');

-- Patterns that a text must match that contains all words of a term. A short word is
-- found at the beginning of a word only.
CREATE FUNCTION word_patterns(term text) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN ARRAY(SELECT CASE WHEN length(w) < 3 THEN '% ' || w || '%' ELSE '%' || w || '%' END
        FROM unnest(string_to_array(fold_text(term), ' ')) AS w);

-- What an order is found by.
CREATE FUNCTION text_of_order(org bigint, sought bigint) RETURNS text LANGUAGE sql STABLE
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

CREATE FUNCTION note_texts_of_orders() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO order_texts (org_id, order_id, text)
    SELECT w.org_id, w.order_id, text_of_order(w.org_id, w.order_id)
    FROM (SELECT DISTINCT x.org_id, x.order_id FROM written x WHERE x.order_id IS NOT NULL) w
    ORDER BY 1, 2
    ON CONFLICT (org_id, order_id) DO UPDATE SET text = excluded.text WHERE order_texts.text <> excluded.text;
    RETURN NULL;
END
$$;

-- A number that goes to another order is found there, and no longer at the one before.
CREATE FUNCTION note_texts_of_moved_numbers() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO order_texts (org_id, order_id, text)
    SELECT w.org_id, w.order_id, text_of_order(w.org_id, w.order_id)
    FROM (SELECT a.org_id, unnest(ARRAY[a.order_id, b.order_id]) AS order_id
        FROM written a JOIN before b ON b.org_id = a.org_id AND b.number = a.number
        WHERE a.order_id IS DISTINCT FROM b.order_id) w
    WHERE w.order_id IS NOT NULL
    GROUP BY w.org_id, w.order_id
    ORDER BY 1, 2
    ON CONFLICT (org_id, order_id) DO UPDATE SET text = excluded.text WHERE order_texts.text <> excluded.text;
    RETURN NULL;
END
$$;

CREATE FUNCTION note_texts_of_contacts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
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

-- Contacts also go when their order goes, and its texts with it: nothing is added here.
CREATE FUNCTION note_texts_without_contacts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE order_texts t SET text = text_of_order(t.org_id, t.order_id)
    FROM (SELECT DISTINCT s.org_id, s.order_id FROM gone c
        CROSS JOIN LATERAL (SELECT x.org_id, x.order_id FROM order_stops x
            WHERE x.org_id = c.org_id AND x.id = c.stop_id OFFSET 0) s) w
    WHERE t.org_id = w.org_id AND t.order_id = w.order_id;
    RETURN NULL;
END
$$;

-- The orders with all words of a term, or with the term in one piece. Like
-- find_orders_by_text, it works as the owner of the tables and asks for the session's
-- organization. The words are letters and digits, so the patterns need no escapes.
CREATE FUNCTION find_orders_by_words(term text, most integer) RETURNS SETOF bigint
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
-- +goose StatementEnd
REVOKE EXECUTE ON FUNCTION find_orders_by_words(text, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION find_orders_by_words(text, integer) TO waybill_app;

CREATE TRIGGER order_numbers_texts_of_new AFTER INSERT ON order_numbers
    REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION note_texts_of_orders();
CREATE TRIGGER order_numbers_texts_of_moved AFTER UPDATE ON order_numbers
    REFERENCING OLD TABLE AS before NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION note_texts_of_moved_numbers();
CREATE TRIGGER order_stops_texts_of_new AFTER INSERT ON order_stops
    REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION note_texts_of_orders();
CREATE TRIGGER order_stops_texts_of_changed AFTER UPDATE ON order_stops
    REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION note_texts_of_orders();
CREATE TRIGGER stop_contacts_texts_of_new AFTER INSERT ON stop_contacts
    REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION note_texts_of_contacts();
CREATE TRIGGER stop_contacts_texts_of_changed AFTER UPDATE ON stop_contacts
    REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION note_texts_of_contacts();
CREATE TRIGGER stop_contacts_texts_of_gone AFTER DELETE ON stop_contacts
    REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION note_texts_without_contacts();
