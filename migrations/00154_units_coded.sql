-- +goose Up
-- Of a line of several units each gets a code of its own when labels are drawn. It is
-- kept beside the line, so that an import leaves it alone and the same label is drawn
-- again.
CREATE TABLE order_product_units (
    org_id           bigint NOT NULL,
    order_product_id bigint NOT NULL,
    unit             integer NOT NULL CHECK (unit >= 1),
    barcode_id       text NOT NULL,
    drawn_at         timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT order_product_units_pkey PRIMARY KEY (org_id, order_product_id, unit),
    CONSTRAINT order_product_units_barcode_key UNIQUE (org_id, barcode_id),
    CONSTRAINT order_product_units_product_fkey FOREIGN KEY (org_id, order_product_id)
        REFERENCES order_products (org_id, id) ON DELETE CASCADE
);
SELECT guard_tenant('order_product_units');

-- Whether another organization draws codes with a prefix, or with one that begins like
-- it: their codes could be the same. GS1 keeps 952 for demonstrations, so those may be
-- shared. Whoever asks is alone with that until the transaction ends.
-- +goose StatementBegin
CREATE FUNCTION sscc_prefix_is_taken(prefix text) RETURNS boolean
    LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp
AS $$
BEGIN
    IF starts_with(prefix, '952')
        OR EXISTS (SELECT FROM organizations o WHERE o.id = current_org() AND o.sscc_prefix = prefix) THEN
        RETURN false;
    END IF;
    PERFORM pg_advisory_xact_lock(hashtext('waybill.sscc_prefixes'));
    RETURN EXISTS (SELECT FROM organizations o WHERE o.id <> current_org()
        AND (starts_with(o.sscc_prefix, prefix) OR starts_with(prefix, o.sscc_prefix)));
END
$$;
-- +goose StatementEnd
REVOKE EXECUTE ON FUNCTION sscc_prefix_is_taken(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION sscc_prefix_is_taken(text) TO waybill_app;
