package main

import (
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	"waybill/internal/child"
)

// idleWorker restarts work and returns its memory in MiB, and its share of a
// core once it is idle, in percent.
func (s *site) idleWorker(ctx context.Context) (memory, cpu float64, err error) {
	work := s.service("work")
	if err := work.process.Stop(); err != nil {
		return 0, 0, err
	}
	if err := s.startWork(ctx); err != nil {
		return 0, 0, err
	}
	if err := rest(ctx, 5*time.Second); err != nil {
		return 0, 0, err
	}
	began, err := cpuTime(work.process.Pid())
	if err != nil {
		return 0, 0, err
	}
	if err := rest(ctx, s.sizes.IdleFor); err != nil {
		return 0, 0, err
	}
	ended, err := cpuTime(work.process.Pid())
	if err != nil {
		return 0, 0, err
	}
	memory, err = residentMemory(work.process.Pid())
	return memory, 100 * float64(ended-began) / float64(s.sizes.IdleFor), err
}

// service is one of the program's services that is running, or was stopped.
func (s *site) service(name string) *service {
	for _, one := range s.services {
		if one.name == name {
			return one
		}
	}
	return nil
}

// startWork starts work after it was stopped, and waits until it is ready.
func (s *site) startWork(ctx context.Context) error {
	port, err := child.FreePort()
	if err != nil {
		return err
	}
	address := fmt.Sprintf("127.0.0.1:%d", port)
	work := s.service("work")
	if work.process, err = s.launch("work", s.environment("WAYBILL_WORK_HTTP_ADDR="+address), "work"); err != nil {
		return err
	}
	return s.ready(ctx, work.process, "http://"+address+"/readyz")
}

func rest(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

// tick is the unit in which the kernel counts CPU time.
const tick = 10 * time.Millisecond

// cpuTime is how long a process has had a core, in its own and the kernel's
// code.
func cpuTime(pid int) (time.Duration, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, fmt.Errorf("read a process's CPU time: %w", err)
	}
	// The name, in brackets, may hold anything.
	_, fields, _ := strings.Cut(string(text), ") ")
	var user, system int64
	parts := strings.Fields(fields)
	if len(parts) < 13 {
		return 0, fmt.Errorf("read a process's CPU time: %q", text)
	}
	if _, err := fmt.Sscan(parts[11]+" "+parts[12], &user, &system); err != nil {
		return 0, fmt.Errorf("read a process's CPU time: %w", err)
	}
	return time.Duration(user+system) * tick, nil
}

// residentMemory is the memory that a process holds, in MiB.
func residentMemory(pid int) (float64, error) {
	return memoryOf(pid, "VmRSS:")
}
