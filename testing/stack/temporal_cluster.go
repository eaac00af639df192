package stack

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"time"
)

// TemporalCluster is Temporal's server as one process for each service, each on a
// host of its own.
type TemporalCluster struct {
	postgres *Postgres
	// database is the address of Postgres that the services use.
	database  string
	hosts     map[string]Host
	dir       string
	server    string
	sql       string
	processes map[string]*Process
}

// Ports of the services, each on its own host.
const (
	temporalPort       = 7233
	temporalMembership = 6933
)

// NewTemporalCluster finds the programs and makes a temporary folder for the
// configurations. It keeps its state in a cluster, which the services reach at an
// address with a port. Hosts are named by the service: frontend, history, matching
// and worker.
func NewTemporalCluster(pg *Postgres, database string, hosts map[string]Host) (*TemporalCluster, error) {
	c := &TemporalCluster{postgres: pg, database: database, hosts: hosts, processes: map[string]*Process{}}
	var hasServer, hasSQL bool
	c.server, hasServer = findTool("server")
	c.sql, hasSQL = findTool("sql")
	if !hasServer || !hasSQL {
		return nil, ErrNoTemporalServer
	}
	var err error
	c.dir, err = os.MkdirTemp("", "waybill-temporal-")
	return c, err
}

// Start makes the databases when they are not there, starts all services, and
// waits until the cluster runs workflows in the default namespace.
func (c *TemporalCluster) Start(ctx context.Context) error {
	if err := migrateTemporal(ctx, c.sql, c.postgres); err != nil {
		return fmt.Errorf("set up the Temporal databases: %w", err)
	}
	for n, service := range temporalServices {
		if err := c.StartService(service); err != nil {
			return err
		}
		if n == 0 { // which writes what the others of a new cluster would write, too
			err := await(ctx, c.processes[service], func(ctx context.Context) error { return listening(ctx, c.Address()) })
			if err != nil {
				return err
			}
		}
	}
	return temporalReady(ctx, c.Address(), c.processes["frontend"])
}

// StartService starts one service, which joins the others.
func (c *TemporalCluster) StartService(service string) error {
	host, known := c.hosts[service]
	if !known {
		return fmt.Errorf("there is no host for Temporal's service %q", service)
	}
	settings := temporalSettings{
		Dir: filepath.Join(c.dir, service), Ports: map[string]int{}, Bind: host.Address, Frontend: c.Address(),
		Postgres: c.database, Password: c.postgres.secret.password(temporalRole),
	}
	for _, name := range temporalServices {
		settings.Ports[name], settings.Ports[name+"Membership"] = temporalPort, temporalMembership
	}
	if err := os.MkdirAll(settings.Dir, 0o700); err != nil {
		return err
	}
	if err := settings.write(); err != nil {
		return fmt.Errorf("configure Temporal: %w", err)
	}
	process, err := Launch(Command{
		Name: "Temporal's " + service, Path: c.server, Grace: time.Minute, Within: host.Within,
		Args: []string{"--root", settings.Dir, "--config", ".", "--env", "server", "--allow-no-auth", "start", "--service", service},
		Log:  filepath.Join(settings.Dir, "temporal.log"),
	})
	if err == nil {
		c.processes[service] = process
	}
	return err
}

// Process is the last process of a service.
func (c *TemporalCluster) Process(service string) *Process { return c.processes[service] }

// Address is where clients find the frontend.
func (c *TemporalCluster) Address() string {
	return net.JoinHostPort(c.hosts["frontend"].Address, strconv.Itoa(temporalPort))
}

// Close stops all services and removes their configuration.
func (c *TemporalCluster) Close() error {
	var errs []error
	for _, process := range c.processes {
		errs = append(errs, process.Stop())
	}
	return errors.Join(append(errs, os.RemoveAll(c.dir))...)
}
