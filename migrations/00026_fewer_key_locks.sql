-- +goose Up
-- A foreign key to organizations locks the organization's row once for each row
-- that is written, and transactions of one organization that write at the same
-- time share that lock, which the database keeps books about. Where another key
-- that is never null leads to the organization it says nothing new. The log and
-- the numbers have no other: their rows are written in the name of the
-- organization alone, as the policies see to.
ALTER TABLE freights DROP CONSTRAINT freights_org_id_fkey;
ALTER TABLE orders DROP CONSTRAINT orders_org_id_fkey;
ALTER TABLE order_stops DROP CONSTRAINT order_stops_org_id_fkey;
ALTER TABLE stop_contacts DROP CONSTRAINT stop_contacts_org_id_fkey;
ALTER TABLE stop_skills DROP CONSTRAINT stop_skills_org_id_fkey;
ALTER TABLE order_products DROP CONSTRAINT order_products_org_id_fkey;
ALTER TABLE order_product_skills DROP CONSTRAINT order_product_skills_org_id_fkey;
ALTER TABLE order_group_members DROP CONSTRAINT order_group_members_org_id_fkey;
ALTER TABLE order_prices DROP CONSTRAINT order_prices_org_id_fkey;
ALTER TABLE custom_field_values DROP CONSTRAINT custom_field_values_org_id_fkey;
ALTER TABLE order_numbers DROP CONSTRAINT order_numbers_org_id_fkey;
ALTER TABLE import_chunks DROP CONSTRAINT import_chunks_org_id_fkey;
ALTER TABLE import_results DROP CONSTRAINT import_results_org_id_fkey;
ALTER TABLE events DROP CONSTRAINT events_org_id_fkey;
ALTER TABLE recurring_occurrences DROP CONSTRAINT recurring_occurrences_org_id_fkey;
ALTER TABLE notifications DROP CONSTRAINT notifications_org_id_fkey;
ALTER TABLE notification_steps DROP CONSTRAINT notification_steps_org_id_fkey;
ALTER TABLE order_exports DROP CONSTRAINT order_exports_org_id_fkey;
ALTER TABLE export_versions DROP CONSTRAINT export_versions_org_id_fkey;
ALTER TABLE export_acknowledgements DROP CONSTRAINT export_acknowledgements_org_id_fkey;
ALTER TABLE external_updates DROP CONSTRAINT external_updates_org_id_fkey;
ALTER TABLE bookings DROP CONSTRAINT bookings_org_id_fkey;
