// Package recurrence reads, checks, rewrites and expands recurrence rules: the
// iCalendar text (RFC 5545) that says on which days and at what times
// something happens again.
//
// The text comes from strangers, and the library that expands it can neither
// be interrupted nor trusted with every text. So a strict reader of our own
// comes first, all that it does not fully understand is refused with a reason,
// and the library is given only values that the reader built.
//
// A rule is expanded on wall-clock time and placed in its zone afterwards, so
// that 09:00 in Oslo stays 09:00 all year:
//
//   - a wall time that a change of clock repeats happens the first time;
//   - a wall time that a change of clock skips happens later by the length of
//     the gap;
//   - UNTIL, EXDATE and RDATE with a time of day name instants; without one
//     they name a whole local day. An RDATE without a time of day happens at
//     the start's time of day.
//
// A start that does not fit its own rule is not an occurrence. Nothing happens
// before the start, nor after the year 2199. A rule that fits no day at all,
// such as 30 February, is accepted and has no occurrence.
//
// The package is pure: no clock, database, network or workflow belongs in it.
// The zone tables come from Go's own time package, with a copy built in.
package recurrence
