CREATE OR REPLACE TRIGGER custom_field_values_used AFTER INSERT ON custom_field_values
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION mark_custom_fields_used();
