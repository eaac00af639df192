CREATE OR REPLACE TRIGGER organizations_order_serial AFTER INSERT ON organizations
    FOR EACH ROW EXECUTE FUNCTION create_order_serial();
