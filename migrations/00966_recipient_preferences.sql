-- +goose Up
-- How the recipient of a delivery wants to hear of it.
CREATE TABLE recipient_preferences (
    org_id     bigint NOT NULL,
    order_id   bigint NOT NULL,
    -- Null is the organization's.
    language   text CONSTRAINT recipient_preferences_language_check CHECK (language IN ('nb', 'da', 'en')),
    unwanted   boolean NOT NULL,
    changed_at timestamptz NOT NULL DEFAULT now(),
    -- How often it was said or changed.
    changes    bigint NOT NULL DEFAULT 1,
    CONSTRAINT recipient_preferences_pkey PRIMARY KEY (org_id, order_id),
    CONSTRAINT recipient_preferences_order_fkey FOREIGN KEY (org_id, order_id) REFERENCES orders (org_id, id)
);
SELECT guard_tenant('recipient_preferences');
