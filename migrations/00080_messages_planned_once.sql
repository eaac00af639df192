-- +goose Up
-- What events are to be told is asked as before, but planned once for a session:
-- in SQL, the function was planned anew for every batch of events.
-- +goose StatementBegin
DO $$ BEGIN
    EXECUTE (SELECT format($with$
        CREATE OR REPLACE FUNCTION due_notifications(%s) RETURNS %s
            LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp SET jit = off
        AS %L $with$, pg_get_function_arguments(p.oid), pg_get_function_result(p.oid),
        '#variable_conflict use_column' || E'\nBEGIN\n    RETURN QUERY' || rtrim(p.prosrc, E' \n;') || E';\nEND\n')
    FROM pg_proc p WHERE p.oid = 'due_notifications'::regproc);
END $$;
-- +goose StatementEnd
