CREATE OR REPLACE TRIGGER export_walks_name_walker BEFORE INSERT ON export_walks
    FOR EACH ROW EXECUTE FUNCTION name_walker();
