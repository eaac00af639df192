// Package transform runs an organization's transformation rules on orders: a
// condition and assignments, both in CEL (https://cel.dev), over the order's
// content. Expressions see no clock, network or other order, and each is
// bounded in size, depth and cost, so a rule can be wrong but do no harm.
// docs/transformations.md documents the language for rule authors.
package transform
