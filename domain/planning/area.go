package planning

import "time"

// Area is the subject of one plan: the orders and drivers of a department on a
// day.
type Area struct {
	// DepartmentID is 0 for orders without a department, which form their own
	// area.
	DepartmentID int64
	// Date is midnight UTC of the day, by the organization's calendar.
	Date time.Time
}
