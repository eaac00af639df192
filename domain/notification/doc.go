// Package notification has the rules for messages to people: which event
// creates which message, when it may be sent, what it contains, and how its
// status changes. It is pure.
package notification
