-- The same without spaces: bd1017 for BD-1017, +4792100629 for +47 921 00 629.
CREATE OR REPLACE FUNCTION compact_text(written text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN replace(fold_text(written), ' ', '');
