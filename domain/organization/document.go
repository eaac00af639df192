// Package organization defines the document in which an organization
// describes itself and its master data, and validates it. It works on values;
// package file reads them from a text, and store/masterdata applies them to a
// database.
package organization

import (
	"waybill/domain/calendar"
	"waybill/domain/load"
	"waybill/domain/masterdata"
	"waybill/domain/order"
	"waybill/domain/pricing"
	"waybill/domain/proof"
	"waybill/domain/recipient"
	"waybill/domain/visit"
)

// Document declares all that an organization sets up. A nil section was left
// out and stays unchanged. An omitted field has its default, regardless of
// its previous value.
type Document struct {
	Organization Organization  `yaml:"organization"`
	Settings     *Settings     `yaml:"settings"`
	Calendars    []Calendar    `yaml:"calendars"`
	Departments  []Department  `yaml:"departments"`
	Customers    []Customer    `yaml:"customers"`
	VehicleTypes []VehicleType `yaml:"vehicleTypes"`
	OrderTypes   []OrderType   `yaml:"orderTypes"`
	Carriers     []Carrier     `yaml:"carriers"`
	Skills       []Skill       `yaml:"skills"`
	Groups       []Named       `yaml:"groups"`
	CustomFields []CustomField `yaml:"customFields"`
	// Transformations are rules that change orders when they arrive.
	Transformations []Transformation `yaml:"transformations"`
	Locations       []Location       `yaml:"locations"`
	Vehicles        []Vehicle        `yaml:"vehicles"`
	Drivers         []Driver         `yaml:"drivers"`

	// Users are people who sign in. Their secrets are not part of a document.
	Users []User `yaml:"users"`

	Messaging     *Messaging     `yaml:"messaging"`
	Notifications []Notification `yaml:"notifications"`

	Zones         []Zone         `yaml:"zones"`
	FreightLevels []FreightLevel `yaml:"freightLevels"`
	Intervals     []Interval     `yaml:"intervals"`
	PriceLists    []PriceList    `yaml:"priceLists"`

	// Places are the positions of its values in the source text.
	Places Places
}

// Organization names the organization; the slug is its natural key.
type Organization struct {
	Slug     string `yaml:"slug"`
	Name     string `yaml:"name"`
	Timezone string `yaml:"timezone"` // IANA
	Language string `yaml:"language"` // nb, en or da; en when left out
}

// Settings are the organization's switches.
type Settings struct {
	AllowMerge bool `yaml:"allowMerge"`
	Reexport   bool `yaml:"reexport"`
	// Sandbox has its days driven by a simulator; its messages stay inside.
	Sandbox bool `yaml:"sandbox"`
	// ApproachingMinutes is how long before service at a stop begins the driver's
	// approach is announced; UsualApproach by default.
	ApproachingMinutes *int `yaml:"approachingMinutes"`
	// SSCCPrefix is the organization's GS1 company prefix, with which the codes
	// on its labels begin, or empty. No other organization may use it.
	SSCCPrefix string `yaml:"ssccPrefix"`
	// KeepOrdersDays is how many days finished orders are kept before they are
	// archived and removed; 0, the default, keeps them permanently.
	KeepOrdersDays int `yaml:"keepOrdersDays"`
	// ShipmentPrices has carriers get the prices of orders; nil leaves it as it was, and a new
	// organization keeps them to itself.
	ShipmentPrices *bool `yaml:"shipmentPrices"`
	// AskGeocoder has unknown addresses sent to the installation's geocoding provider; nil leaves
	// it as it was, and a new organization has it on.
	AskGeocoder *bool `yaml:"askGeocoder"`
	// Retention is how long personal data is kept. Omitted values stay unchanged.
	Retention Retention `yaml:"retention"`
	// Places is which proposals of positions the organization accepts by itself.
	Places PlaceSettings `yaml:"places"`
	// LoadingMinutes is how long it takes to load a vehicle before its shift; -1 has drivers load during
	// the shift, as in a new organization, and nil leaves it as it was.
	LoadingMinutes *int `yaml:"loadingMinutes"`
	// MaxStops is to how many places a driver goes in a shift at most, and MaxDrivingMinutes how long
	// the driver drives; -1 is no limit, as in a new organization, and nil leaves it as it was.
	MaxStops          *int `yaml:"maxStops"`
	MaxDrivingMinutes *int `yaml:"maxDrivingMinutes"`
	// GoodsApart are kinds of goods that must not travel together; nil leaves them as they were.
	GoodsApart []masterdata.GoodsApart `yaml:"goodsApart"`
	// LoadDimensions are what limits vehicles in addition to weight and volume; nil leaves them as they were.
	LoadDimensions load.Dimensions `yaml:"loadDimensions"`
	// Costs are the prices of plans; nil leaves them as they were, and no prices remove them.
	Costs *pricing.Costs `yaml:"costs"`
	// RushHours are when driving takes longer than the road data says; nil leaves them as they were.
	RushHours []RushHours `yaml:"rushHours"`
	// LearnTravel is what is done with travel times that are learned: OFF, PROPOSE or ACCEPT; nil leaves it as it was.
	LearnTravel *string `yaml:"learnTravel"`
	// RecipientPage is how the organization shows itself to recipients; nil leaves it as it was, and an
	// empty one removes it.
	RecipientPage *recipient.Page `yaml:"recipientPage"`
	// OfficePhone is the number that drivers call when an action did not count,
	// and Proof the proof that they must collect. Omitted settings keep the
	// users' values.
	OfficePhone *string      `yaml:"officePhone"`
	Proof       *proof.Rules `yaml:"proof"`
}

// PlaceSettings is which proposals of positions are accepted without a person. Omitted values stay
// unchanged, and a new organization accepts none.
type PlaceSettings struct {
	// AcceptDriversPins takes over what drivers say, unless the office has put the pin.
	AcceptDriversPins *bool `yaml:"acceptDriversPins"`
	// AcceptArrivals takes over what Waybill learns from arrivals, unless a person has put the pin.
	AcceptArrivals *bool `yaml:"acceptArrivals"`
}

// Retention is how many days personal data is kept, counted from the date of the order or the
// day of work, at least privacy.LeastKept; 0 keeps it permanently, and nil leaves the value
// unchanged. A new organization has privacy.UsualRetention.
type Retention struct {
	PeopleDays  *int `yaml:"peopleDays"`
	ProofsDays  *int `yaml:"proofsDays"`
	DriversDays *int `yaml:"driversDays"`
}

// Default and maximum of ApproachingMinutes.
const (
	UsualApproach   = 30
	LongestApproach = 240
)

// LeastKeptOrders is the minimum number of days for which orders are kept:
// longer than the feed goes back, and than carriers may fetch again.
const LeastKeptOrders = 120

// Approach returns how many minutes before service at a stop the approach
// is announced.
func (s *Settings) Approach() int {
	if s.ApproachingMinutes == nil {
		return UsualApproach
	}
	return *s.ApproachingMinutes
}

// Named is a record that has only a name, which is its natural key.
type Named struct {
	Name string `yaml:"name"`
}

// Skill is something that drivers and vehicles can do; its name is its natural key.
type Skill struct {
	Name string `yaml:"name"`
	// ForTwo is true for what takes two people: every shift of two can do it, and no other.
	ForTwo bool `yaml:"forTwo"`
}

// Calendar is the closed days of the departments, customers and locations that keep it; its name is its natural key.
type Calendar struct {
	Name   string            `yaml:"name"`
	Closed []calendar.Closed `yaml:"closed"`
}

// Department is a part of the organization; its name is its natural key.
type Department struct {
	Name string `yaml:"name"`
	// Calendar is the calendar that it keeps, by name; nil leaves that as it was, and "" is none.
	Calendar *string `yaml:"calendar"`
	// Release is when its plans are released to its drivers; nil leaves that as it was.
	Release *Release `yaml:"release"`
}

// Release is when the plans of a department are released.
type Release struct {
	// At is the time of day, in the zone of the organization; nil leaves it to people.
	At *order.Clock `yaml:"at"`
	// DaysBefore is how many days before its own a plan is released, and ThresholdMinutes how many
	// minutes of driving a change saves at least after that; masterdata.UsualRelease by default.
	DaysBefore       *int `yaml:"daysBefore"`
	ThresholdMinutes *int `yaml:"thresholdMinutes"`
}

// Customer is identified by its external id, or else by its name.
type Customer struct {
	ExternalID   string `yaml:"externalId"`
	BusinessName string `yaml:"businessName"`
	Department   string `yaml:"department"` // by name
	EmailAddress string `yaml:"emailAddress"`
	PhoneNumber  string `yaml:"phoneNumber"`
	// Calendar is the calendar that it keeps, by name; nil leaves that as it was, and "" is none.
	Calendar *string `yaml:"calendar"`
}

// OrderType is identified by its name.
type OrderType struct {
	Name                string       `yaml:"name"`
	Priority            int          `yaml:"priority"`
	ReadyFrom           *order.Clock `yaml:"readyFrom"`
	PickUpBefore        *order.Clock `yaml:"pickUpBefore"`
	DeliverBefore       *order.Clock `yaml:"deliverBefore"`
	MinBookAheadMinutes *int         `yaml:"minBookAheadMinutes"`
	MaxBookAheadMinutes *int         `yaml:"maxBookAheadMinutes"`
	ExportCarrier       string       `yaml:"exportCarrier"`
	// Proof is the proof that drivers must bring for its orders, where it
	// differs from the organization's.
	Proof *proof.Rules `yaml:"proof"`
	// ServiceTime is how long its stops take where their locations do not say it.
	ServiceTime *visit.ServiceTime `yaml:"serviceTime"`
}

// OtherSecret is the suffix of the variable with a carrier's second secret,
// which is valid during a rotation.
const OtherSecret = "_OTHER"

// Carrier is a carrier that may send updates of orders, identified by its name.
type Carrier struct {
	Name string `yaml:"name"`
	// SecretEnv names the program's environment variable with the secret that
	// the carrier signs with.
	SecretEnv string `yaml:"secretEnv"`
}

// CustomField is a definition of a custom field, identified by its external id.
type CustomField struct {
	ExternalID     string      `yaml:"externalId"`
	Label          string      `yaml:"label"`
	Title          string      `yaml:"title"`
	Description    string      `yaml:"description"`
	Icon           string      `yaml:"icon"`
	ColorScheme    ColorScheme `yaml:"colorScheme"`
	SortOrderBatch string      `yaml:"sortOrderBatch"`
	DisplayOn      string      `yaml:"displayOn"`
	DisplayStyle   string      `yaml:"displayStyle"`
}

// ColorScheme are colours as #RGB or #RRGGBB.
type ColorScheme struct {
	Background string `yaml:"background"`
	Text       string `yaml:"text"`
}

// Location is identified by its external id, or else by name and address.
type Location struct {
	ExternalID   string        `yaml:"externalId"`
	Name         string        `yaml:"name"`
	Address      Address       `yaml:"address"`
	OpeningHours *OpeningHours `yaml:"openingHours"`
	TimeWindows  []TimeWindow  `yaml:"timeWindows"`
	// Pauses are when it is closed within its hours and windows; nil leaves them as they were.
	Pauses []order.Pause `yaml:"pauses"`
	// ServiceTime is how long a visit and each of its orders take; nil leaves it as it was.
	ServiceTime *visit.ServiceTime `yaml:"serviceTime"`
	// Curbside is whether vehicles stop on the side of the street where it is; nil leaves it as it was.
	Curbside *bool `yaml:"curbside"`
	// Calendar is the calendar that it keeps, by name; nil leaves that as it was, and "" is none.
	Calendar *string `yaml:"calendar"`
}

// Key distinguishes a location without an external id from others.
func (l *Location) Key() order.LocationKey { return order.KeyOf(l.Name, order.Address(l.Address)) }

// Address is where a location is.
type Address struct {
	Address1   string   `yaml:"address1"`
	Address2   string   `yaml:"address2"`
	PostalCode string   `yaml:"postalCode"`
	City       string   `yaml:"city"`
	State      string   `yaml:"state"`
	Country    string   `yaml:"country"` // ISO 3166-1 alpha-2
	Latitude   *float64 `yaml:"latitude"`
	Longitude  *float64 `yaml:"longitude"`
}

// OpeningHours are a location's usual hours.
type OpeningHours struct {
	Opens        *order.Clock `yaml:"opens"`
	Closes       *order.Clock `yaml:"closes"`
	UseAsDefault bool         `yaml:"useAsDefault"`
}

// TimeWindow are hours on the days that a recurrence rule picks.
type TimeWindow struct {
	RRule  string       `yaml:"rrule"`
	Opens  *order.Clock `yaml:"opens"`
	Closes *order.Clock `yaml:"closes"`
}
