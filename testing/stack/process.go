package stack

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync/atomic"
	"syscall"
	"time"
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

	account *account
}

// Process is a running program. It ends with its parent, even after a crash (on
// Linux), together with its own children.
type Process struct {
	command Command
	cmd     *exec.Cmd
	done    chan struct{}
	exit    error
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
	p := &Process{command: c, done: make(chan struct{})}
	p.cmd = exec.Command(c.Path, c.Args...) //nolint:noctx // it outlives its caller, and ends by Stop
	p.cmd.Dir, p.cmd.Env = c.Dir, c.Env
	p.cmd.SysProcAttr = childAttributes(c.StopSignal)
	if c.account != nil {
		p.cmd.SysProcAttr.Credential = c.account.credential()
	}
	closeLog, err := p.redirect()
	if err != nil {
		return nil, fmt.Errorf("start %s: %w", c.Name, err)
	}
	defer closeLog()
	if err := p.start(); err != nil {
		return nil, fmt.Errorf("start %s: %w", c.Name, err)
	}
	return p, nil
}

// redirect sends the program's output to its log.
func (p *Process) redirect() (closeLog func(), err error) {
	if p.command.Log == "" {
		p.cmd.Stdin, p.cmd.Stdout, p.cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
		return func() {}, nil
	}
	if err := os.MkdirAll(filepath.Dir(p.command.Log), 0o700); err != nil {
		return nil, err
	}
	if err := os.Rename(p.command.Log, p.command.Log+".old"); err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	file, err := os.OpenFile(p.command.Log, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return nil, err
	}
	p.cmd.Stdout, p.cmd.Stderr = file, file
	return func() { _ = file.Close() }, nil
}

// start runs the program from a thread that stays until it has ended: Linux
// sends a child its parent's death signal when the thread that made it ends.
func (p *Process) start() error {
	started := make(chan error)
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := p.cmd.Start()
		started <- err
		if err != nil {
			return
		}
		p.exit = p.cmd.Wait()
		p.signal(syscall.SIGKILL) // whatever it left behind
		close(p.done)
	}()
	return <-started
}

// Pid is the program's process id.
func (p *Process) Pid() int { return p.cmd.Process.Pid }

// Done is closed when the program has ended.
func (p *Process) Done() <-chan struct{} { return p.done }

// ExitCode is the program's exit status. Call it after Done is closed.
func (p *Process) ExitCode() int { return p.cmd.ProcessState.ExitCode() }

// Failure reports that the program ended by itself, with the end of its log. It
// is nil while the program runs and after Stop.
func (p *Process) Failure() error {
	select {
	case <-p.done:
	default:
		return nil
	}
	if p.asked.Load() {
		return nil
	}
	how := "exit status 0"
	if p.exit != nil {
		how = p.exit.Error()
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
	select {
	case <-p.done: // the PID may be another's by now
	default:
		p.signal(s)
	}
}

// Stop stops the program, waits, and kills it after a timeout.
func (p *Process) Stop() error {
	p.Signal(p.command.StopSignal)
	select {
	case <-p.done:
		return nil
	case <-time.After(p.command.Grace):
	}
	p.Kill()
	return fmt.Errorf("%s did not stop within %s and was killed", p.command.Name, p.command.Grace)
}

// Kill kills the program, like a crash, and waits until it is gone.
func (p *Process) Kill() {
	p.Signal(syscall.SIGKILL)
	<-p.done
}

// signal reaches the whole process group of the program.
func (p *Process) signal(s syscall.Signal) {
	_ = syscall.Kill(-p.Pid(), s) // fails only if the process is gone
}

const tailBytes = 2000

// tail is the end of the log, in whole lines.
func (p *Process) tail() string {
	if p.command.Log == "" {
		return ""
	}
	text, err := os.ReadFile(p.command.Log)
	if err != nil {
		return ""
	}
	return lastLines(text, tailBytes)
}
