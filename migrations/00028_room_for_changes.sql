-- +goose Up
-- Orders and their stops change often after they were imported: they are
-- booked, cancelled, driven. A little room on each page lets the new version of
-- a row stand beside the old one, so that no index has to be told.
ALTER TABLE orders SET (fillfactor = 85);
ALTER TABLE order_stops SET (fillfactor = 85);
