package transform

import "time"

// Within bounds the time that the rules of one order may take.
func (r *Runner) Within(d time.Duration) { r.time = d }
