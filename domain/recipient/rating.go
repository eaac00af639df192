package recipient

import (
	"slices"

	"waybill/domain/fault"
)

// Rating is what the recipient thinks of a delivery.
type Rating struct {
	// Stars are 1 for very bad to MostStars for very good.
	Stars   int
	Comment string
}

// MostStars is the best rating.
const MostStars = 5

// Tidy returns the rating as it is kept, or a fault that names the wrong fields.
func (r Rating) Tidy() (Rating, error) {
	tidy := Rating{Stars: r.Stars, Comment: tidied(r.Comment)}
	var problems []fault.Violation
	if r.Stars < 1 || r.Stars > MostStars {
		problems = append(problems, outOfRange("stars", 1, MostStars))
	}
	return tidy, refused(slices.Concat(problems, tooLong("comment", tidy.Comment, LongestText)))
}
