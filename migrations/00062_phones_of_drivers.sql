-- +goose Up
-- Drivers get their links and codes as text messages, whatever the rules are.
-- +goose StatementBegin
DO $$ BEGIN
    EXECUTE replace(replace(pg_get_functiondef('due_notifications'::regproc),
        $q$0, 0, 'EMAIL', w.name, NULL$q$,
        $q$0, 0, CASE e.subject_type WHEN 'user' THEN 'EMAIL' ELSE 'SMS' END, w.name, NULL$q$),
        $q$WHERE e.subject_type = 'user'$q$, $q$WHERE e.subject_type IN ('user', 'driver')$q$);
    IF pg_get_functiondef('due_notifications'::regproc) NOT LIKE '%''driver''%' THEN
        RAISE EXCEPTION 'due_notifications is not what this migration knows';
    END IF;
END $$;
-- +goose StatementEnd

-- Who has a number is asked when somebody connects a telephone by it.
CREATE INDEX drivers_phone_idx ON drivers (org_id, phone_number) WHERE is_active;
