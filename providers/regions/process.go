package regions

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// lastLines is how many lines of a builder's output an error shows.
const lastLines = 8

// Step is a program that builds a part of a region.
type Step struct {
	// Program is its name, as operators know it.
	Program string
	path    string
	args    []string
	env     []string
	dir     string
}

// Watch receives what happens during a build. All of it may be nil.
type Watch struct {
	// Said receives a line about the progress.
	Said func(string)
	// Started receives the process of a builder.
	Started func(program string, pid int)
}

func (w Watch) say(format string, args ...any) {
	if w.Said != nil {
		w.Said(fmt.Sprintf(format, args...))
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
func (s Step) run(ctx context.Context, w Watch) error {
	// Linux kills the child when the thread that started it ends.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	cmd := exec.CommandContext(ctx, s.path, s.args...) //nolint:gosec // the operator names the programs
	cmd.Dir, cmd.SysProcAttr = s.dir, childAttributes()
	if len(s.env) > 0 {
		cmd.Env = append(os.Environ(), s.env...)
	}
	output, in, err := os.Pipe()
	if err != nil {
		return fmt.Errorf("start %s: %w", s.Program, err)
	}
	cmd.Stdout, cmd.Stderr = in, in
	began := time.Now()
	err = cmd.Start()
	_ = in.Close()
	if err != nil {
		_ = output.Close()
		return fmt.Errorf("start %s: %w", s.Program, err)
	}
	if w.Started != nil {
		w.Started(s.Program, cmd.Process.Pid)
	}
	said := make(chan []string, 1)
	go func() { said <- s.follow(output, w) }()
	err = cmd.Wait()
	last := <-said
	if err == nil {
		w.say("%s: done in %.0f s, with %d MB of memory", s.Program, time.Since(began).Seconds(), memoryOf(cmd.ProcessState)>>20)
		return nil
	}
	return s.failure(ctx, err, last)
}

func (s Step) failure(ctx context.Context, err error, last []string) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	shown := ""
	if len(last) > 0 {
		shown = "\n  " + strings.Join(last, "\n  ")
	}
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		if status, ok := exit.Sys().(syscall.WaitStatus); ok && status.Signaled() {
			return &KilledError{s.Program, status.Signal(), shown}
		}
	}
	return fmt.Errorf("%s failed: %w%s", s.Program, err, shown)
}

var (
	percentage = regexp.MustCompile(`^\s*(\d{1,3})%\s*$`)
	tilesDone  = regexp.MustCompile(`writing tile (\d+) of (\d+)`)
)

// follow reads the output of a program, reports its progress, and returns its last lines.
func (s Step) follow(output io.ReadCloser, w Watch) (last []string) {
	defer func() { _ = output.Close() }()
	lines := bufio.NewScanner(output)
	lines.Split(splitProgress)
	shown := -1
	for lines.Scan() {
		line := strings.TrimSpace(lines.Text())
		if percent, ok := progressIn(line); ok {
			if percent != shown {
				shown = percent
				w.say("%s: %d %%", s.Program, percent)
			}
			continue
		}
		if strings.Trim(line, ".") == "" {
			continue
		}
		if last = append(last, line); len(last) > lastLines {
			last = last[1:]
		}
	}
	_, _ = io.Copy(io.Discard, output) // a line that is too long ends the scan, not the program
	return last
}

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

// splitProgress splits at the ends of lines, and where a terminal would return to the start of
// one.
func splitProgress(data []byte, atEnd bool) (advance int, token []byte, err error) {
	if i := bytes.IndexAny(data, "\r\n"); i >= 0 {
		return i + 1, data[:i], nil
	}
	if atEnd && len(data) > 0 {
		return len(data), data, nil
	}
	return 0, nil, nil
}
