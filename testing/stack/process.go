package stack

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync/atomic"
	"syscall"
	"time"

	"waybill/internal/child"
)

// Command describes a program to run, and how to stop it.
type Command struct {
	// Name is the displayed name, as in "the API".
	Name string
	// Path and Args are the program and its arguments.
	Path string
	Args []string
	// Dir is the folder it runs in; the caller's when empty.
	Dir string
	// Env is its whole environment; the caller's when nil.
	Env []string
	// Log is the file for its output, by default the caller's output. The
	// previous file is renamed with ".old".
	Log string
	// StopSignal stops it; the default is SIGTERM.
	StopSignal syscall.Signal
	// Grace is how long it may take to end before it is killed; ten seconds
	// when zero.
	Grace time.Duration
	// Within prepares the thread that starts the program, for example in the
	// network of another host. By default nothing is prepared.
	Within func(start func() error) error

	account *account
}

// Host is another host, on which a server runs.
type Host struct {
	// Address is one of its addresses.
	Address string
	// Within prepares the thread that starts the server there, as Command.Within.
	Within func(start func() error) error
}

// Process is a running program. It ends with its parent, even after a crash (on
// Linux), together with its own children.
type Process struct {
	*child.Process

	command Command
	asked   atomic.Bool
}

const defaultGrace = 10 * time.Second

// Launch starts the program.
func Launch(c Command) (*Process, error) {
	if c.StopSignal == 0 {
		c.StopSignal = syscall.SIGTERM
	}
	if c.Grace == 0 {
		c.Grace = defaultGrace
	}
	cmd := exec.Command(c.Path, c.Args...) //nolint:noctx // it outlives its caller, and ends by Stop
	cmd.Dir, cmd.Env = c.Dir, c.Env
	if c.account != nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: c.account.credential()}
	}
	closeLog, err := c.redirect(cmd)
	if err != nil {
		return nil, fmt.Errorf("start %s: %w", c.Name, err)
	}
	defer closeLog()
	if c.Within == nil {
		c.Within = func(start func() error) error { return start() }
	}
	started, err := child.StartWithin(cmd, c.StopSignal, c.Within)
	if err != nil {
		return nil, fmt.Errorf("start %s: %w", c.Name, err)
	}
	return &Process{Process: started, command: c}, nil
}

// redirect sends the program's output to its log.
func (c *Command) redirect(cmd *exec.Cmd) (closeLog func(), err error) {
	if c.Log == "" {
		cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
		return func() {}, nil
	}
	if err := os.MkdirAll(filepath.Dir(c.Log), 0o700); err != nil {
		return nil, err
	}
	if err := os.Rename(c.Log, c.Log+".old"); err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	file, err := os.OpenFile(c.Log, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return nil, err
	}
	cmd.Stdout, cmd.Stderr = file, file
	return func() { _ = file.Close() }, nil
}

// ExitCode is the program's exit status. Call it after Done is closed.
func (p *Process) ExitCode() int { return p.State().ExitCode() }

// Failure reports that the program ended by itself, with the end of its log. It
// is nil while the program runs and after Stop.
func (p *Process) Failure() error {
	select {
	case <-p.Done():
	default:
		return nil
	}
	if p.asked.Load() {
		return nil
	}
	how := "exit status 0"
	if p.Err() != nil {
		how = p.Err().Error()
	}
	message := fmt.Sprintf("%s stopped unexpectedly (%s)", p.command.Name, how)
	if tail := p.tail(); tail != "" {
		message += fmt.Sprintf("; the end of %s:\n%s", p.command.Log, tail)
	}
	return errors.New(message)
}

// Signal passes a signal on to the program and its children.
func (p *Process) Signal(s syscall.Signal) {
	p.asked.Store(true)
	p.Process.Signal(s)
}

// Stop stops the program, waits, and kills it after a timeout.
func (p *Process) Stop() error {
	p.asked.Store(true)
	if p.Process.Stop(p.command.StopSignal, p.command.Grace) {
		return fmt.Errorf("%s did not stop within %s and was killed", p.command.Name, p.command.Grace)
	}
	return nil
}

// Kill kills the program, like a crash, and waits until it is gone.
func (p *Process) Kill() {
	p.Signal(syscall.SIGKILL)
	<-p.Done()
}

// tail is the end of the log, in whole lines.
func (p *Process) tail() string {
	if p.command.Log == "" {
		return ""
	}
	text, err := os.ReadFile(p.command.Log)
	if err != nil {
		return ""
	}
	return child.LastLines(text, child.TailBytes)
}
