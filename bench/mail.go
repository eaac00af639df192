package main

import (
	"context"
	"io"
	"net"

	"github.com/emersion/go-smtp"
)

// mailServer accepts every message and discards it.
type mailServer struct {
	smtp *smtp.Server
	url  string
}

func newMailServer(ctx context.Context) (*mailServer, error) {
	var lc net.ListenConfig
	listener, err := lc.Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	m := &mailServer{url: "smtp://" + listener.Addr().String()}
	m.smtp = smtp.NewServer(smtp.BackendFunc(func(*smtp.Conn) (smtp.Session, error) { return forgetful{}, nil }))
	m.smtp.Domain = "localhost"
	go func() { _ = m.smtp.Serve(listener) }() // until it is closed
	return m, nil
}

type forgetful struct{}

func (forgetful) Mail(string, *smtp.MailOptions) error { return nil }
func (forgetful) Rcpt(string, *smtp.RcptOptions) error { return nil }
func (forgetful) Reset()                               {}
func (forgetful) Logout() error                        { return nil }
func (forgetful) Data(r io.Reader) error {
	_, err := io.Copy(io.Discard, r)
	return err
}
