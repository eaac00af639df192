package main

import (
	"context"
	"crypto/rand"
	"strings"
)

// demoPeople are one person for each role. Their passphrases are drawn for each
// installation.
var demoPeople = []struct{ role, name, email, variable string }{
	{"admin", "Astrid Dahl", "astrid@nordfrakt.example", "WAYBILL_ADMIN"},
	{"dispatcher", "Kari Berg", "kari@nordfrakt.example", "WAYBILL_DISPATCHER"},
	{"support", "Ola Hansen", "ola@nordfrakt.example", "WAYBILL_SUPPORT"},
	{"driver", "Nora Lie", "nora@nordfrakt.example", "WAYBILL_DRIVER"},
}

// people creates the demo's accounts, unless an earlier run did, and returns
// their credentials.
func (r *run) people(ctx context.Context) ([]variable, error) {
	var all []variable
	for _, p := range demoPeople {
		passphrase := r.file.previous[p.variable+"_PASSPHRASE"]
		if passphrase == "" {
			passphrase = randomPassphrase()
			_, err := r.waybill.feed(ctx, passphrase, "users", "invite", "--org", r.options.organization,
				"--email", p.email, "--name", p.name, "--role", p.role, "--passphrase-stdin")
			if err != nil && !strings.Contains(err.Error(), "already has an account") {
				return nil, err
			}
			if err != nil {
				continue // of a run whose file is gone
			}
		}
		all = append(all, variable{p.variable + "_EMAIL", p.email}, variable{p.variable + "_PASSPHRASE", passphrase})
	}
	return all, nil
}

// randomPassphrase draws 130 bits, in groups that can be read and typed.
func randomPassphrase() string {
	text := strings.ToLower(rand.Text())
	var groups []string
	for len(text) > 5 {
		groups, text = append(groups, text[:5]), text[5:]
	}
	return strings.Join(groups, "-")
}
