-- +goose Up
-- Changes of drivers, vehicles and locations get a follower of their own, which gathers
-- them. It goes on where the follower of plans is.
INSERT INTO event_followers (name, position) SELECT 'fleet', f.position FROM event_followers f WHERE f.name = 'planning';
INSERT INTO event_cursors (follower, shard, position)
SELECT 'fleet', c.shard, c.position FROM event_cursors c WHERE c.follower = 'planning';
