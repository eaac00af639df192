-- +goose Up
-- What the recipient of a delivery has asked of the driver.
CREATE TABLE recipient_instructions (
    org_id          bigint NOT NULL,
    order_id        bigint NOT NULL,
    instructions    text NOT NULL,
    -- Where to leave the goods if nobody is at home; null for nowhere. An erased note stays with it.
    safe_place      text CONSTRAINT recipient_instructions_safe_place_check CHECK (safe_place IN
        ('FRONT_DOOR', 'BACK_DOOR', 'GARAGE', 'SHED', 'MAILBOX', 'NEIGHBOR', 'RECEPTION', 'OTHER')),
    safe_place_note text NOT NULL,
    -- For the driver at the stop only.
    door_code       text NOT NULL,
    changed_at      timestamptz NOT NULL DEFAULT now(),
    -- How often it was said or changed.
    changes         bigint NOT NULL DEFAULT 1,
    CONSTRAINT recipient_instructions_pkey PRIMARY KEY (org_id, order_id),
    CONSTRAINT recipient_instructions_order_fkey FOREIGN KEY (org_id, order_id) REFERENCES orders (org_id, id)
);
SELECT guard_tenant('recipient_instructions');
