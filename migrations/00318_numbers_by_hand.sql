-- +goose Up
-- The number that somebody chose last for an order by hand: the form of a new order
-- proposes the one after it. Numbers of imported orders are not here, because the system
-- that they come from counts them on by itself.
CREATE TABLE order_numbers_by_hand (
    org_id bigint NOT NULL REFERENCES organizations (id),
    number text NOT NULL,
    CONSTRAINT order_numbers_by_hand_pkey PRIMARY KEY (org_id)
);
SELECT guard_tenant('order_numbers_by_hand');
