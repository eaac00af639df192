-- +goose Up
-- As before, but nobody hears that a driver has arrived who did so a while ago: a
-- telephone may tell it when it finds a network.
-- +goose StatementBegin
DO $$ BEGIN
    EXECUTE replace(pg_get_functiondef('due_notifications'::regproc), $q$NOT coalesce(e.data ? 'left', false)$q$,
        $q$NOT coalesce(e.data ? 'left', false)
      AND NOT (r.event = 'STOP_ARRIVED' AND e.occurred_at < now() - interval '15 minutes')$q$);
    IF pg_get_functiondef('due_notifications'::regproc) NOT LIKE '%''STOP_ARRIVED''%' THEN
        RAISE EXCEPTION 'due_notifications is not what this migration knows';
    END IF;
END $$;
-- +goose StatementEnd
