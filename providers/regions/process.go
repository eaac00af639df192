package regions

import (
	"context"
	"fmt"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"time"

	"waybill/internal/child"
)

// step is a program that builds a part of a region.
type step struct {
	// program is its name, as operators know it.
	program string
	cmd     *exec.Cmd
}

// Watch receives what happens during a build. All of it may be nil.
type Watch struct {
	// Said receives a line about the progress.
	Said func(string)
	// Started receives the process of a builder.
	Started func(program string, pid int)
	// Yielding builders let everything else on the machine go first.
	Yielding bool
	// percent receives the progress of the program.
	percent func(int) error
}

func (w Watch) say(format string, args ...any) {
	if w.Said != nil {
		w.Said(fmt.Sprintf(format, args...))
	}
}

func (w Watch) progress(program string, percent int) {
	w.say("%s: %d %%", program, percent)
	if w.percent != nil {
		_ = w.percent(percent) // the next one says more
	}
}

// KilledError is the end of a builder that was killed.
type KilledError struct {
	Program string
	Signal  syscall.Signal
	Output  string
}

func (e *KilledError) Error() string {
	text := fmt.Sprintf("%s was killed (%s)", e.Program, e.Signal)
	if e.Signal == syscall.SIGKILL {
		text += "; the machine may have run out of memory"
	}
	return text + e.Output
}

// run runs the program to its end, as a process that ends with this one.
func (s step) run(ctx context.Context, w Watch) error {
	shown := -1
	output := &child.Output{Keep: func(line string) bool {
		percent, isProgress := progressIn(line)
		if isProgress && percent != shown {
			shown = percent
			w.progress(s.program, percent)
		}
		return !isProgress && strings.Trim(line, ".") != ""
	}}
	s.cmd.Stdout, s.cmd.Stderr = output, output
	began := time.Now()
	running, err := child.Start(s.cmd, syscall.SIGKILL)
	if err != nil {
		return fmt.Errorf("start %s: %w", s.program, err)
	}
	if w.Yielding {
		_ = running.Yield() // it may have ended, or may not: then it has the priority of others
	}
	if w.Started != nil {
		w.Started(s.program, running.Pid())
	}
	switch err := running.Wait(ctx, syscall.SIGKILL, 0); {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		return s.failure(running, output.Last())
	}
	w.say("%s: done in %.0f s, with %d MB of memory", s.program, time.Since(began).Seconds(), running.Memory()>>20)
	return nil
}

func (s step) failure(ended *child.Process, last string) error {
	shown := ""
	if last != "" {
		shown = "\n  " + strings.ReplaceAll(last, "\n", "\n  ")
	}
	if signal, killed := ended.KilledBy(); killed {
		return &KilledError{s.program, signal, shown}
	}
	return fmt.Errorf("%s failed: %w%s", s.program, ended.Err(), shown)
}

var (
	percentage = regexp.MustCompile(`^\s*(\d{1,3})%\s*$`)
	tilesDone  = regexp.MustCompile(`writing tile (\d+) of (\d+)`)
)

// progressIn reads the progress of a line in which a program reports it.
func progressIn(line string) (percent int, ok bool) {
	if m := percentage.FindStringSubmatch(line); m != nil {
		percent, _ = strconv.Atoi(m[1])
		return percent, true
	}
	if m := tilesDone.FindStringSubmatch(line); m != nil {
		done, _ := strconv.Atoi(m[1])
		all, _ := strconv.Atoi(m[2])
		return 100 * done / max(1, all), true
	}
	return 0, false
}
