package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"reflect"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"go.temporal.io/sdk/client"

	"waybill/store"
)

// doctor has the dependencies of the checks.
type doctor struct {
	config  config
	invalid error // of the settings; nothing else is available then
	limit   time.Duration

	pool     *pgxpool.Pool // nil where DATABASE_URL is missing or wrong
	poolErr  error
	store    *store.Store
	temporal client.Client // nil where the settings are wrong
	tempErr  error
}

// doctorCheck is one check. It runs if the one that it depends on did not fail.
type doctorCheck struct {
	name, needs string
	docs        string
	run         func(ctx context.Context) finding
}

// newDoctor opens the dependencies of the checks. It waits for nothing, and no
// error stops it.
func newDoctor(ctx context.Context, limit time.Duration) *doctor {
	d := &doctor{limit: limit}
	if d.config, d.invalid = readConfig(); d.invalid != nil {
		return d
	}
	if d.pool, d.poolErr = openPool(ctx, d.config, "waybill", nil); d.pool != nil {
		d.store = store.New(d.pool)
	}
	d.temporal, d.tempErr = newTemporal(d.config, slog.New(slog.DiscardHandler), nil, nil)
	return d
}

// close ends the connections. It does not wait for checks that hang.
func (d *doctor) close() {
	if d.pool != nil {
		go d.pool.Close()
	}
	if d.temporal != nil {
		go d.temporal.Close()
	}
}

// examine runs all checks at the same time.
func (d *doctor) examine(ctx context.Context) doctorReport {
	at := time.Now()
	if d.invalid != nil {
		return newReport(at, []finding{{
			Name: "settings", Status: checkFails, Meaning: oneLineOf(d.invalid.Error()),
			Next: "correct the variable; waybill config lists all of them", Docs: "production.md",
		}})
	}
	return newReport(at, runChecks(ctx, d.limit, d.checks(), d.withoutSecrets))
}

// runChecks runs checks concurrently, each with its timeout, and returns their
// findings in order. A check waits for the one that it depends on, and is
// skipped if that one failed.
func runChecks(ctx context.Context, limit time.Duration, checks []doctorCheck, clean func(string) string) []finding {
	found := make([]finding, len(checks))
	done := make(map[string]chan struct{}, len(checks))
	place := make(map[string]int, len(checks))
	for i, c := range checks {
		done[c.name], place[c.name] = make(chan struct{}), i
	}
	var all sync.WaitGroup
	for i, c := range checks {
		all.Go(func() {
			defer close(done[c.name])
			if needed, is := done[c.needs]; is {
				<-needed
				if found[place[c.needs]].Status == checkFails || found[place[c.needs]].Status == checkSkipped {
					found[i] = finding{Name: c.name, Status: checkSkipped, Meaning: "not checked: " + c.needs + " failed"}
					return
				}
			}
			found[i] = within(ctx, limit, c)
			found[i].Meaning, found[i].Next = clean(found[i].Meaning), clean(found[i].Next)
		})
	}
	all.Wait()
	return found
}

// within runs one check, and stops waiting after its timeout: not everything
// that hangs ends with its context.
func within(ctx context.Context, limit time.Duration, c doctorCheck) finding {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	begun := time.Now()
	result := make(chan finding, 1)
	go func() {
		defer func() {
			if cause := recover(); cause != nil {
				result <- failed(fmt.Errorf("the check panicked: %v", cause), "report this bug")
			}
		}()
		result <- c.run(ctx)
	}()
	var f finding
	select {
	case f = <-result:
	case <-ctx.Done():
		select { // the check may end with its context, with a better finding
		case f = <-result:
		case <-time.After(limit / 10):
			f = failed(fmt.Errorf("no answer within %s", limit), "check whether it is overloaded or a firewall drops packets")
		}
	}
	f.Name, f.Millisecond = c.name, time.Since(begun).Milliseconds()
	if f.Status == checkFails || f.Status == checkWarns {
		f.Docs = c.docs
	}
	f.Meaning = oneLineOf(f.Meaning)
	return f
}

// The findings of checks.

func fine(format string, args ...any) finding {
	return finding{Status: checkOK, Meaning: fmt.Sprintf(format, args...)}
}

func warning(next, format string, args ...any) finding {
	return finding{Status: checkWarns, Meaning: fmt.Sprintf(format, args...), Next: next}
}

func wrong(next, format string, args ...any) finding {
	return finding{Status: checkFails, Meaning: fmt.Sprintf(format, args...), Next: next}
}

// failed is the finding of an error.
func failed(err error, next string) finding {
	if errors.Is(err, context.DeadlineExceeded) {
		return wrong(next, "no answer in time: %s", err)
	}
	return wrong(next, "%s", err)
}

// withoutSecrets hides the secrets of the settings wherever a text repeats them.
func (d *doctor) withoutSecrets(text string) string {
	values := reflect.ValueOf(d.config)
	for _, s := range settings() {
		if s.secret == "" {
			continue
		}
		for _, part := range secretParts(s, written(values.Field(s.field).Interface())) {
			text = strings.ReplaceAll(text, part, "***")
		}
	}
	return text
}

// secretParts are the parts of a value that are secret.
func secretParts(s setting, value string) (parts []string) {
	const least = 4 // shorter values are in every text
	if s.secret == "text" {
		parts = append(parts, value)
	} else if u, err := url.Parse(value); err == nil {
		password, _ := u.User.Password()
		parts = append(parts, password, url.QueryEscape(password), url.PathEscape(password))
		for name, given := range u.Query() {
			if isSecret(name) {
				parts = append(parts, given...)
			}
		}
	}
	kept := parts[:0]
	for _, part := range parts {
		if len(part) >= least {
			kept = append(kept, part)
		}
	}
	return kept
}
