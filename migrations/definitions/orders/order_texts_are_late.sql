CREATE OR REPLACE FUNCTION order_texts_are_late() RETURNS boolean LANGUAGE sql STABLE PARALLEL SAFE
    RETURN coalesce(current_setting('app.order_texts', true), '') = 'later';
