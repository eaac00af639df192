CREATE OR REPLACE FUNCTION name_walker() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.walker IS NULL THEN
        NEW.walker := 'key:' || NEW.key_id;
    ELSIF NEW.walker LIKE 'key:%' THEN
        NEW.key_id := substr(NEW.walker, 5)::bigint;
    END IF;
    RETURN NEW;
END
$$;
