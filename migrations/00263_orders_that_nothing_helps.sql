-- +goose Up
-- An order that nothing would help has an empty list. It was written as null, which no read
-- could make a list of.
UPDATE plan_unplanned SET counterfactuals = '[]' WHERE counterfactuals = 'null';
