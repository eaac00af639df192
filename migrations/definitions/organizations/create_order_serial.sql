-- Order serials count up within each organization. A sequence each, because a
-- counter row would make all imports of an organization wait for one another.
CREATE OR REPLACE FUNCTION create_order_serial() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
AS $$
BEGIN
    EXECUTE format('CREATE SEQUENCE order_serial_%s', NEW.id);
    EXECUTE format('GRANT USAGE ON SEQUENCE order_serial_%s TO waybill_app', NEW.id);
    RETURN NEW;
END
$$;

REVOKE EXECUTE ON FUNCTION create_order_serial FROM PUBLIC;
