-- +goose Up
-- An order that stays with a driver although a rule forbids that by now, because nobody
-- else can take it.
ALTER TABLE exceptions ADD COLUMN rule text;
-- The new constraint allows all that the old one does.
-- squawk-ignore ban-drop-constraint
ALTER TABLE exceptions DROP CONSTRAINT exceptions_kind_check, ADD CONSTRAINT exceptions_kind_check
    CHECK (kind IN ('LATE_STOP', 'SILENT_DRIVER', 'RULE_MISSED', 'DELIVERED_THOUGH_CANCELLED', 'ACTED_THOUGH_CANCELLED',
        'NOT_YOURS_ANY_MORE', 'ALREADY_DONE', 'BAD_ORDER_OF_ACTIONS', 'PROOF_MISSING')) NOT VALID;
-- squawk-ignore ban-drop-constraint
ALTER TABLE exceptions DROP CONSTRAINT exceptions_subject_check, ADD CONSTRAINT exceptions_subject_check
    CHECK (CASE kind WHEN 'LATE_STOP' THEN order_id IS NOT NULL AND stop IS NOT NULL
        WHEN 'SILENT_DRIVER' THEN order_id IS NULL WHEN 'RULE_MISSED' THEN order_id IS NOT NULL AND rule IS NOT NULL
        ELSE action_id IS NOT NULL END) NOT VALID;
