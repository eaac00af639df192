package main

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"reflect"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/kelseyhightower/envconfig"

	"waybill/internal/child"
)

// settings are the configurable addresses, from environment variables.
type settings struct {
	HTTPAddr       string `envconfig:"WAYBILL_HTTP_ADDR" default:"127.0.0.1:8080"`
	WorkHTTPAddr   string `envconfig:"WAYBILL_WORK_HTTP_ADDR" default:"127.0.0.1:8091"`
	RoadsHTTPAddr  string `envconfig:"WAYBILL_ROADS_HTTP_ADDR" default:"127.0.0.1:5005"`
	PostgresPort   int    `envconfig:"WAYBILL_POSTGRES_PORT" default:"5433"`
	TemporalPort   int    `envconfig:"WAYBILL_TEMPORAL_PORT" default:"7233"`
	TemporalUIPort int    `envconfig:"WAYBILL_TEMPORAL_UI_PORT" default:"8233"`
	SMTPPort       int    `envconfig:"WAYBILL_SMTP_PORT" default:"1025"`
	MailboxPort    int    `envconfig:"WAYBILL_MAILBOX_PORT" default:"8025"`
	SMSPort        int    `envconfig:"WAYBILL_SMS_PORT" default:"8026"`
	Namespace      string `envconfig:"TEMPORAL_NAMESPACE" default:"default"`
}

func loadSettings() (settings, error) {
	var s settings
	if err := forgetEmpty(); err != nil {
		return s, err
	}
	if err := envconfig.Process("", &s); err != nil {
		return s, fmt.Errorf("read the environment: %w", err)
	}
	if _, _, err := net.SplitHostPort(s.HTTPAddr); err != nil {
		return s, fmt.Errorf("WAYBILL_HTTP_ADDR=%s is not an address such as 127.0.0.1:8080", s.HTTPAddr)
	}
	if _, _, err := net.SplitHostPort(s.WorkHTTPAddr); err != nil {
		return s, fmt.Errorf("WAYBILL_WORK_HTTP_ADDR=%s is not an address such as 127.0.0.1:8091", s.WorkHTTPAddr)
	}
	if _, _, err := net.SplitHostPort(s.RoadsHTTPAddr); err != nil {
		return s, fmt.Errorf("WAYBILL_ROADS_HTTP_ADDR=%s is not an address such as 127.0.0.1:5005", s.RoadsHTTPAddr)
	}
	return s, nil
}

// forgetEmpty treats empty variables like unset ones.
func forgetEmpty() error {
	for field := range reflect.TypeFor[settings]().Fields() {
		name := field.Tag.Get("envconfig")
		if value, set := os.LookupEnv(name); set && value == "" {
			if err := os.Unsetenv(name); err != nil {
				return fmt.Errorf("read %s: %w", name, err)
			}
		}
	}
	return nil
}

// apiURL is the API's address on this machine. Browsers support passkeys only
// for names, so it names a loopback address.
func (s settings) apiURL() string {
	host, port, _ := net.SplitHostPort(s.HTTPAddr) // loadSettings has looked at it
	if ip := net.ParseIP(host); host == "" || ip != nil && (ip.IsUnspecified() || ip.Equal(net.IPv4(127, 0, 0, 1))) {
		host = "localhost"
	}
	return (&url.URL{Scheme: "http", Host: net.JoinHostPort(host, port)}).String()
}

// port is a port that a part listens on, and the variable that sets it.
type port struct {
	part     string
	variable string
	address  string
	whole    bool // the variable has the address, not only the port
}

func (s settings) ports() []port {
	onThisMachine := func(part, variable string, number int) port {
		return port{part, variable, net.JoinHostPort("127.0.0.1", strconv.Itoa(number)), false}
	}
	return []port{
		{"API", "WAYBILL_HTTP_ADDR", s.HTTPAddr, true},
		onThisMachine("Postgres", "WAYBILL_POSTGRES_PORT", s.PostgresPort),
		onThisMachine("Temporal", "WAYBILL_TEMPORAL_PORT", s.TemporalPort),
		onThisMachine("Temporal UI", "WAYBILL_TEMPORAL_UI_PORT", s.TemporalUIPort),
		onThisMachine("mailbox, SMTP", "WAYBILL_SMTP_PORT", s.SMTPPort),
		onThisMachine("mailbox, page", "WAYBILL_MAILBOX_PORT", s.MailboxPort),
		onThisMachine("text messages", "WAYBILL_SMS_PORT", s.SMSPort),
		{"the worker's metrics", "WAYBILL_WORK_HTTP_ADDR", s.WorkHTTPAddr, true},
		{"roads", "WAYBILL_ROADS_HTTP_ADDR", s.RoadsHTTPAddr, true},
	}
}

// requireFreePorts reports ports that are in use and the variables that change
// them. It gives those of a killed run a moment to become free.
func requireFreePorts(ports []port) error {
	const patience, pause = 3 * time.Second, 100 * time.Millisecond
	for deadline := time.Now().Add(patience); ; time.Sleep(pause) {
		err := tryPorts(ports)
		if err == nil || time.Now().After(deadline) {
			return err
		}
	}
}

// tryPorts listens on all of them at once, which also detects two parts with
// the same one.
func tryPorts(ports []port) error {
	var busy []error
	for _, p := range ports {
		listener, err := child.Listen(p.address)
		if err != nil {
			busy = append(busy, p.explain(err))
			continue
		}
		defer func() { _ = listener.Close() }()
	}
	return errors.Join(busy...)
}

// explain describes a failure to listen in a sentence.
func (p port) explain(err error) error {
	_, number, _ := net.SplitHostPort(p.address) // it is one of ours
	what := "cannot be used (" + err.Error() + ")"
	if errors.Is(err, syscall.EADDRINUSE) {
		what = "is in use"
	}
	return fmt.Errorf("port %s (%s) %s; stop the process that uses it or set %s=%s",
		number, p.part, what, p.variable, p.alternative())
}

// alternative is a value for the variable: the next port that is free.
func (p port) alternative() string {
	const tries = 100
	host, number, _ := net.SplitHostPort(p.address)
	first, _ := strconv.Atoi(number)
	next := strconv.Itoa(first + 1)
	for candidate := first + 1; candidate < first+tries; candidate++ {
		listener, err := child.Listen(net.JoinHostPort(host, strconv.Itoa(candidate)))
		if err == nil {
			_ = listener.Close()
			next = strconv.Itoa(candidate)
			break
		}
	}
	if !p.whole {
		return next
	}
	return strings.TrimSuffix(p.address, number) + next
}
