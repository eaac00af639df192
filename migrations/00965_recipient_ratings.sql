-- +goose Up
-- What the recipient of a delivery thinks of it.
CREATE TABLE recipient_ratings (
    org_id     bigint NOT NULL,
    order_id   bigint NOT NULL,
    stars      bigint NOT NULL CONSTRAINT recipient_ratings_stars_check CHECK (stars BETWEEN 1 AND 5),
    comment    text NOT NULL,
    changed_at timestamptz NOT NULL DEFAULT now(),
    -- How often it was said or changed.
    changes    bigint NOT NULL DEFAULT 1,
    CONSTRAINT recipient_ratings_pkey PRIMARY KEY (org_id, order_id),
    CONSTRAINT recipient_ratings_order_fkey FOREIGN KEY (org_id, order_id) REFERENCES orders (org_id, id)
);
SELECT guard_tenant('recipient_ratings');
