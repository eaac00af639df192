package travel

import (
	"context"
	"errors"
	"time"
)

// pause is for how long a server that fails is left alone.
const pause = 30 * time.Second

// errResting is returned while a server is paused.
var errResting = &Fault{Text: "the server failed several times and is left alone for a while"}

// heed records the result of a request. A fault of the request does not count
// against the server, and neither does a canceled call.
func (t *Tables) heed(ctx context.Context, err error) {
	var fault *Fault
	switch {
	case err == nil, errors.As(err, &fault) && fault.Asked:
		t.breaker.Succeeded()
	case ctx.Err() == nil:
		t.breaker.Failed(0)
	}
}
