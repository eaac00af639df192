package main

import "time"

// sizes are the sizes of the measurements.
type sizes struct {
	Orders        int // of one bulk import
	ImportRounds  int
	SmallImports  int
	ReadRounds    int
	ReadFor       time.Duration // each side, each round
	Bookings      int           // each side, each round
	BookingRounds int
	FeedPages     int // each side
	FewEvents     int
	FewOrders     int
	ManyOrders    int
	ManyEvents    int

	RecurringRounds int
	Templates       int           // that are idle
	IdleFor         time.Duration // how long they are looked at

	Acknowledgements  int // each side, each round
	AcknowledgeRounds int
	FewExports        int // exported ones; a tenth as many wait
	ManyExports       int
	Exported          int // orders of one import with subsequent exports
	ExportedRounds    int

	Messages      int // each side, each round
	MessageRounds int
	GrownOrders   int // compared with a tenth of them

	FewMessages     int // in the log
	ManyMessages    int
	WaitingMessages int // for their report

	Driven       int // orders of each of 25 drivers
	DrivenRounds int // each has as many of them
	PositionsFor time.Duration

	RestartMessages, RestartExports int // that wait for work
	RestartPlans                    int

	BusyOrders, BusyDrivers int           // of a day on which drivers act
	BusyFor                 time.Duration // how long they do
}

var full = sizes{
	Orders: 10_000, ImportRounds: 5,
	SmallImports: 400,
	ReadRounds:   9, ReadFor: 2 * time.Second,
	Bookings: 2_000, BookingRounds: 5,
	FeedPages: 400, FewEvents: 1_000, ManyEvents: 1_000_000,
	FewOrders: 20_000, ManyOrders: 200_000,
	RecurringRounds: 7, Templates: 10_000, IdleFor: time.Minute,
	Acknowledgements: 1_000, AcknowledgeRounds: 5,
	FewExports: 1_000, ManyExports: 100_000,
	Exported: 5_000, ExportedRounds: 3,
	Messages: 500, MessageRounds: 5,
	GrownOrders: 1_000_000,
	FewMessages: 10_000, ManyMessages: 1_000_000, WaitingMessages: 20_000,
	Driven: 24, DrivenRounds: 5, PositionsFor: 10 * time.Second,
	RestartMessages: 20_000, RestartExports: 10_000, RestartPlans: 500,
	BusyOrders: 2_000, BusyDrivers: 100, BusyFor: 5 * time.Minute,
}

var small = sizes{
	Orders: 1_000, ImportRounds: 2,
	SmallImports: 40,
	ReadRounds:   3, ReadFor: 500 * time.Millisecond,
	Bookings: 400, BookingRounds: 2,
	FeedPages: 60, FewEvents: 1_000, ManyEvents: 50_000,
	FewOrders: 12_000, ManyOrders: 30_000,
	RecurringRounds: 2, Templates: 200, IdleFor: 5 * time.Second,
	Acknowledgements: 100, AcknowledgeRounds: 2,
	FewExports: 1_000, ManyExports: 10_000,
	Exported: 1_000, ExportedRounds: 1,
	Messages: 100, MessageRounds: 2,
	GrownOrders: 20_000,
	FewMessages: 1_000, ManyMessages: 20_000, WaitingMessages: 200,
	Driven: 8, DrivenRounds: 2, PositionsFor: 2 * time.Second,
	RestartMessages: 100, RestartExports: 100, RestartPlans: 20,
	BusyOrders: 200, BusyDrivers: 20, BusyFor: 20 * time.Second,
}
