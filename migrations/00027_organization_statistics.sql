-- +goose Up
-- A planner that has statistics of all organizations but one takes that one to
-- have a single row. Each index that begins with the organization then seems as
-- good as the one that is meant for a key, and each look-up reads all rows of the
-- organization, which makes the first large import of a new one several times as
-- slow. Without statistics of the column it takes every organization to
-- have a two-hundredth of the rows, and finds the right index. These are the tables
-- that an import looks into by keys.
ALTER TABLE locations ALTER COLUMN org_id SET STATISTICS 0;
ALTER TABLE orders ALTER COLUMN org_id SET STATISTICS 0;
ALTER TABLE order_stops ALTER COLUMN org_id SET STATISTICS 0;
ALTER TABLE stop_contacts ALTER COLUMN org_id SET STATISTICS 0;
ALTER TABLE stop_skills ALTER COLUMN org_id SET STATISTICS 0;
ALTER TABLE order_products ALTER COLUMN org_id SET STATISTICS 0;
ALTER TABLE order_product_skills ALTER COLUMN org_id SET STATISTICS 0;
ALTER TABLE order_group_members ALTER COLUMN org_id SET STATISTICS 0;
ALTER TABLE order_prices ALTER COLUMN org_id SET STATISTICS 0;
ALTER TABLE custom_field_values ALTER COLUMN org_id SET STATISTICS 0;
ALTER TABLE order_numbers ALTER COLUMN org_id SET STATISTICS 0;
ALTER TABLE drafts ALTER COLUMN org_id SET STATISTICS 0;
ALTER TABLE recurring_occurrences ALTER COLUMN org_id SET STATISTICS 0;
ALTER TABLE bookings ALTER COLUMN org_id SET STATISTICS 0;
