-- Patterns that a text must match that contains all words of a term. A short word is
-- found at the beginning of a word only.
CREATE OR REPLACE FUNCTION word_patterns(term text) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN ARRAY(SELECT CASE WHEN length(w) < 3 THEN '% ' || w || '%' ELSE '%' || w || '%' END
        FROM unnest(string_to_array(fold_text(term), ' ')) AS w);
