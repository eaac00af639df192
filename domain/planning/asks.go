package planning

import (
	"time"

	"waybill/domain/routing"
)

// betweenWindows returns the spans between a stop's windows, as far as they are within the present
// window of the stop.
func (d *Draft) betweenWindows(s *Stop, opens, closes int64) []routing.Span {
	var spans []routing.Span
	for i := 1; i < len(s.Windows); i++ {
		span := routing.Span{
			From:  max(d.second(s.Windows[i-1].Latest), opens),
			Until: min(d.second(s.Windows[i].Earliest.Add(time.Second-time.Nanosecond)), closes),
		}
		if span.From < span.Until {
			spans = append(spans, span)
		}
	}
	return spans
}
