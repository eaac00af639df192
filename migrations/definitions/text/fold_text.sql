-- Text in lower case, without accents and punctuation: Grünerløkka is grunerlokka. Only
-- + stays, which begins a telephone number.
CREATE OR REPLACE FUNCTION fold_text(written text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN btrim(regexp_replace(replace(replace(replace(replace(translate(lower(written),
        'ØøÅåÄäÖöÜüÉéÈèÊêËëÁáÀàÂâÃãÍíÌìÎîÏïÓóÒòÔôÕõÚúÙùÛûÑñÇçÝýŠšŽžČčĆćŚśŻżŹźŃńĘęĄąŁłÐðĐđ',
        'ooaaaaoouueeeeeeeeaaaaaaaaiiiiiiiioooooooouuuuuunnccyysszzccccsszzzznneeaalldddd'),
        'Æ', 'ae'), 'æ', 'ae'), 'ß', 'ss'), 'aa', 'a'), '[^[:alnum:]+]+', ' ', 'g'));
