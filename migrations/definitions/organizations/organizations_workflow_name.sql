CREATE OR REPLACE TRIGGER organizations_workflow_name BEFORE INSERT ON organizations
    FOR EACH ROW EXECUTE FUNCTION name_workflows();
