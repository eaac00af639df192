-- +goose Up
-- What recipients were told about when service at a stop begins: first, which is the promise, and last.
CREATE TABLE delivery_promises (
    org_id        bigint NOT NULL,
    order_id      bigint NOT NULL,
    kind          text NOT NULL CONSTRAINT delivery_promises_kind_check CHECK (kind IN ('pickup', 'delivery')),
    promised_from timestamptz NOT NULL,
    promised_to   timestamptz NOT NULL,
    promised_at   timestamptz NOT NULL DEFAULT now(),
    told_from     timestamptz NOT NULL,
    told_to       timestamptz NOT NULL,
    told_at       timestamptz NOT NULL DEFAULT now(),
    -- How often it was announced that the time has moved.
    moves         bigint NOT NULL DEFAULT 0,
    CONSTRAINT delivery_promises_pkey PRIMARY KEY (org_id, order_id, kind),
    CONSTRAINT delivery_promises_order_fkey FOREIGN KEY (org_id, order_id) REFERENCES orders (org_id, id)
);
SELECT guard_tenant('delivery_promises');
