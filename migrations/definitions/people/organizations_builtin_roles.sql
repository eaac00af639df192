CREATE OR REPLACE TRIGGER organizations_builtin_roles AFTER INSERT ON organizations
    FOR EACH ROW EXECUTE FUNCTION create_builtin_roles();
