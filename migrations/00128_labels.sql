-- +goose Up
-- Labels carry serial shipping container codes (SSCC) of GS1, which begin with
-- the organization's own prefix. Which were drawn is never forgotten: a code
-- names one unit only.

ALTER TABLE organizations ADD COLUMN sscc_prefix text
    CONSTRAINT organizations_sscc_prefix_check CHECK (sscc_prefix ~ '^[0-9]{7,12}$');

CREATE TABLE sscc_counters (
    org_id bigint NOT NULL REFERENCES organizations (id),
    -- How many codes the organization has drawn.
    drawn  bigint NOT NULL CHECK (drawn >= 0),
    CONSTRAINT sscc_counters_pkey PRIMARY KEY (org_id)
);
SELECT guard_tenant('sscc_counters');
