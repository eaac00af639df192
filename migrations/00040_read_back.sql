-- +goose Up
-- An order is found by what its carrier calls the shipment.
CREATE INDEX export_acknowledgements_order_idx ON export_acknowledgements (org_id, order_id, id)
    WHERE carrier_shipment_id IS NOT NULL;
