-- +goose Up
-- How an organization shows itself on the pages of tracking links, and the number by which a link was asked for: the
-- page names it, and no other number that shares the order.
SET LOCAL lock_timeout = '2s';
ALTER TABLE organizations ADD COLUMN recipient_page jsonb,
    ADD CONSTRAINT organizations_recipient_page_check CHECK (jsonb_typeof(recipient_page) = 'object') NOT VALID;
ALTER TABLE tracking_links ADD COLUMN number text;
