CREATE OR REPLACE FUNCTION count_rule_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE organizations SET rules_version = rules_version + 1 WHERE id = coalesce(NEW.org_id, OLD.org_id);
    RETURN NULL;
END
$$;
