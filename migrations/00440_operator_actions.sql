-- +goose Up
-- What operators did to the installation as a whole, where no organization's log can hold it:
-- an organization that is removed takes its log along, and migrations are of no organization.
-- The application neither reads nor writes it.
CREATE TABLE operator_actions (
    id bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT operator_actions_pkey PRIMARY KEY,
    done_at timestamptz NOT NULL DEFAULT now(),
    operator text NOT NULL CONSTRAINT operator_actions_operator_check CHECK (operator <> ''),
    command text NOT NULL,
    done text NOT NULL
);
