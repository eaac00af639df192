// Package notification holds the rules of messages to people: which event
// makes which message, when it may be sent, what it says, and how its status
// moves. All of it is pure.
package notification
