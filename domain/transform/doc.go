// Package transform runs an organization's transformation rules on orders: a
// condition and assignments, both in CEL (https://cel.dev), over the order's
// content. Expressions have no access to a clock, the network or other orders,
// and each is bounded in size, depth and cost, so a wrong rule does no harm.
// docs/transformations.md documents the language for authors of rules.
package transform
