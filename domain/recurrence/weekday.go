package recurrence

import (
	"cmp"
	"slices"
)

var weekdayNames = [...]string{"MO", "TU", "WE", "TH", "FR", "SA", "SU"}

// weekday is one value of BYDAY: a day of the week, and which of them in the
// month or year. Number 0 means every one.
type weekday struct {
	number int
	day    int // days after Monday
}

func (w weekday) String() string {
	if w.number == 0 {
		return weekdayNames[w.day]
	}
	return itoa(w.number) + weekdayNames[w.day]
}

func readWeekStart(in part) (int, error) {
	day := slices.Index(weekdayNames[:], in.value)
	if day < 0 {
		return 0, refuse(in.name, msgBadValue, "value", shown(in.value))
	}
	return day, nil
}

// readWeekdays reads the list of a BYDAY and puts it in order.
func readWeekdays(in part) ([]weekday, error) {
	var days []weekday
	for _, item := range splitList(in.value) {
		w, err := readWeekday(in, item)
		if err != nil {
			return nil, err
		}
		days = append(days, w)
	}
	slices.SortFunc(days, func(a, b weekday) int {
		return cmp.Or(cmp.Compare(a.number, b.number), cmp.Compare(a.day, b.day))
	})
	return slices.Compact(days), nil
}

func readWeekday(in part, text string) (weekday, error) {
	split := max(len(text)-2, 0)
	day := slices.Index(weekdayNames[:], text[split:])
	if day < 0 {
		return weekday{}, refuse(in.name, msgBadValue, "value", shown(text))
	}
	if split == 0 {
		return weekday{day: day}, nil
	}
	number, err := signed{1, 53}.read(in, text[:split])
	if err != nil {
		return weekday{}, err
	}
	return weekday{number: number, day: day}, nil
}
