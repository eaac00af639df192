CREATE OR REPLACE TRIGGER transformation_rules_version AFTER INSERT OR UPDATE OR DELETE ON transformation_rules
    FOR EACH ROW EXECUTE FUNCTION count_rule_change();
