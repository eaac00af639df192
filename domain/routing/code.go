package routing

// Code is a violation, or the reason why a request is in no plan.
type Code string

// Reasons that apply to a request with any shift.
const (
	// NoPlace means that a stop has no known position.
	NoPlace Code = "NO_PLACE"
	// NoShift means that there are no shifts.
	NoShift Code = "NO_SHIFT"
	// WindowsContradict means that no vehicle can be at the delivery before it
	// closes after it picked up as early as possible.
	WindowsContradict Code = "WINDOWS_CONTRADICT"
)

// Reasons that apply to a request and an otherwise empty shift.
const (
	OnBoardElsewhere     Code = "ON_BOARD_ELSEWHERE"
	LockedToAnotherShift Code = "LOCKED_TO_ANOTHER_SHIFT"
	ProhibitedShift      Code = "PROHIBITED_SHIFT"
	WrongVehicleType     Code = "VEHICLE_TYPE"
	// SkillMissing and SkillProhibited come with the skill.
	SkillMissing    Code = "SKILL_MISSING"
	SkillProhibited Code = "SKILL_PROHIBITED"
	// TooMuch comes with the excess, for each dimension.
	TooMuchFirst  Code = "TOO_MUCH_1"
	TooMuchSecond Code = "TOO_MUCH_2"
	TooMuchThird  Code = "TOO_MUCH_3"
	// These have the seconds by which a visit is late or a shift too long.
	PickupOutsideShift   Code = "PICKUP_WINDOW_OUTSIDE_SHIFT"
	DeliveryOutsideShift Code = "DELIVERY_WINDOW_OUTSIDE_SHIFT"
	PickupTooLate        Code = "CANNOT_REACH_PICKUP_IN_TIME"
	DeliveryTooLate      Code = "CANNOT_REACH_DELIVERY_IN_TIME"
	HomeTooLate          Code = "CANNOT_BE_HOME_IN_TIME"
	NoTimeForBreak       Code = "NO_TIME_FOR_BREAK"
	RouteTooLong         Code = "ROUTE_TOO_LONG"
	// RouteTooFar comes with the metres.
	RouteTooFar Code = "ROUTE_TOO_FAR"
	// TooLongAboard comes with the seconds by which goods would be on board for too long.
	TooLongAboard Code = "TOO_LONG_ON_BOARD"
	// TooManyStops comes with how many, DrivingTooLong with the seconds.
	TooManyStops   Code = "TOO_MANY_STOPS"
	DrivingTooLong Code = "DRIVING_TOO_LONG"
)

// Reasons that apply because of the other requests of a shift.
const (
	// FrozenInTheWay means that frozen visits or goods on board leave no
	// room.
	FrozenInTheWay Code = "FROZEN_IN_THE_WAY"
	// LockedInTheWay means that requests locked to the shift leave no room.
	LockedInTheWay Code = "LOCKED_IN_THE_WAY"
	// ShiftFull means that the rest of its route leaves no room.
	ShiftFull Code = "SHIFT_FULL"
)

// Violations that only a plan can have.
const (
	UnknownVisit Code = "UNKNOWN_VISIT"
	VisitedTwice Code = "VISITED_TWICE"
	FrozenMoved  Code = "FROZEN_MOVED"
	NotPickedUp  Code = "NOT_PICKED_UP"
	NotDelivered Code = "NOT_DELIVERED"
	// Late is service that begins after its window. For frozen or owed visits it is
	// information, and rejects no plan.
	Late       Code = "LATE"
	Overloaded Code = "OVERLOADED"
	// MoreOverloaded is a load over the capacity in a further dimension.
	MoreOverloaded Code = "MORE_OVERLOADED"
	// GoodsApart comes with the request with which it must not travel.
	GoodsApart Code = "GOODS_APART"
)

var tooMuch = [Dimensions]Code{TooMuchFirst, TooMuchSecond, TooMuchThird}
