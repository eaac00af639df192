-- +goose Up
-- Events that a follower of the log could not take, whatever it tried, so that it left
-- them out and went on. Why stands in its log; here is only what kind of reason it was.
CREATE TABLE parked_events (
    org_id bigint NOT NULL REFERENCES organizations (id),
    follower text NOT NULL,
    event_id bigint NOT NULL,
    position bigint NOT NULL,
    kind text NOT NULL,
    reason text NOT NULL,
    parked_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (org_id, follower, event_id)
);

SELECT guard_tenant('parked_events');
