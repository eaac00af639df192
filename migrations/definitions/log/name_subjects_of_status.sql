CREATE OR REPLACE FUNCTION name_subjects_of_status() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    counting text[];
BEGIN
    IF NEW.product_ids IS NULL THEN
        SELECT array_agg(p.id ORDER BY p.number, p.seq, p.id) INTO NEW.product_ids
        FROM order_products p WHERE p.org_id = NEW.org_id AND p.order_id = NEW.order_id;
        IF NEW.product_ids IS NOT NULL THEN
            NEW.product_status_id := NEW.order_status_id;
        END IF;
    END IF;
    IF number_of_event(NEW.kind, NEW.external_id) IS NULL THEN
        SELECT array_agg(n.number ORDER BY n.number) INTO counting FROM order_numbers n
        WHERE n.org_id = NEW.org_id AND n.order_id = NEW.order_id AND n.cancelled_at IS NULL;
        IF counting <> ARRAY[NEW.external_id] THEN
            NEW.data := coalesce(NEW.data, '{}') || jsonb_build_object('numbers', counting);
        END IF;
    END IF;
    RETURN NEW;
END
$$;
