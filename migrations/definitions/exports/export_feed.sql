-- Whether a shipment in the feed is an update depends on what its carrier has
-- acknowledged by now. A version may become one after it was offered, when the
-- carrier says that it exported an older one.
CREATE OR REPLACE VIEW export_feed WITH (security_invoker = true) AS
SELECT e.org_id, e.order_id, e.carrier, e.place, e.version, e.fetched_version, e.exported_version > 0 AS is_update
FROM order_exports e
WHERE e.state = 'pending'
  AND (NOT e.reexport OR e.succeeded_at >= (
      SELECT o.reexport_since FROM organizations o WHERE o.id = current_org() AND o.reexport));

GRANT SELECT ON export_feed TO waybill_app;
