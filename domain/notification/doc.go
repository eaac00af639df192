// Package notification holds the rules for messages to people: which event
// makes which message, when it may be sent, what it contains, and how its
// status changes. All of it is pure.
package notification
