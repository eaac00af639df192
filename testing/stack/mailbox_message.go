package stack

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"time"

	gomessage "github.com/emersion/go-message"
	_ "github.com/emersion/go-message/charset" // messages use any of them
	"github.com/emersion/go-message/mail"
)

// Message is a message that the mailbox has kept.
type Message struct {
	ID      string    `json:"id"`
	From    string    `json:"from"`
	To      []string  `json:"to"`
	Subject string    `json:"subject"`
	Date    time.Time `json:"date"`
	// Receivers are the addresses that it was delivered to, whatever its
	// headers are.
	Receivers   []string `json:"receivers"`
	Text        string   `json:"text,omitempty"`
	HTML        string   `json:"html,omitempty"`
	Attachments []string `json:"attachments,omitempty"`
}

// ReadMessage reads one of the mailbox's files.
func ReadMessage(file string) (Message, error) {
	message, reader, closeFile, err := openMessage(file)
	if err != nil {
		return Message{}, err
	}
	defer closeFile()
	for {
		part, err := reader.NextPart()
		if errors.Is(err, io.EOF) {
			return message, nil
		}
		if err != nil && !gomessage.IsUnknownCharset(err) {
			return Message{}, fmt.Errorf("read message %s: %w", message.ID, err)
		}
		if err := message.add(part); err != nil {
			return Message{}, fmt.Errorf("read message %s: %w", message.ID, err)
		}
	}
}

// listMessages reads the headers of all messages in a folder, newest first.
func listMessages(dir string) ([]Message, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*"+messageSuffix))
	if err != nil {
		return nil, err
	}
	sort.Sort(sort.Reverse(sort.StringSlice(files)))
	messages := make([]Message, 0, len(files))
	for _, file := range files {
		message, _, closeFile, err := openMessage(file)
		if errors.Is(err, os.ErrNotExist) {
			continue // the folder is being emptied
		}
		if err != nil {
			message.Subject, message.Date = "(cannot be read)", arrival(message.ID)
		} else {
			closeFile()
		}
		messages = append(messages, message)
	}
	return messages, nil
}

// openMessage reads a message's headers, and returns a reader of its parts.
func openMessage(file string) (Message, *mail.Reader, func(), error) {
	message := Message{ID: strings.TrimSuffix(filepath.Base(file), messageSuffix)}
	source, err := os.Open(file)
	if err != nil {
		return message, nil, nil, fmt.Errorf("read message %s: %w", message.ID, err)
	}
	reader, err := mail.CreateReader(source)
	if err != nil && !gomessage.IsUnknownCharset(err) {
		_ = source.Close()
		return message, nil, nil, fmt.Errorf("read message %s: %w", message.ID, err)
	}
	header := reader.Header
	message.From = headerText(header, "From")
	message.To = addresses(header, "To")
	message.Subject, _ = header.Subject() // undecodable text is shown unchanged
	message.Date, err = header.Date()
	if err != nil || message.Date.IsZero() {
		message.Date = arrival(message.ID)
	}
	for fields := header.FieldsByKey("Delivered-To"); fields.Next(); {
		message.Receivers = append(message.Receivers, fields.Value())
	}
	return message, reader, func() { _ = source.Close() }, nil
}

// arrival is the time that a message's name begins with.
func arrival(id string) time.Time {
	stamp, _, _ := strings.Cut(id, "-")
	at, _ := time.Parse("20060102T150405.000000000", stamp)
	return at
}

func headerText(header mail.Header, key string) string {
	text, err := header.Text(key)
	if err != nil {
		return header.Get(key)
	}
	return text
}

// addresses lists the addresses of a header, or the header itself if it has
// none.
func addresses(header mail.Header, key string) []string {
	list, err := header.AddressList(key)
	if err != nil {
		return []string{header.Get(key)}
	}
	texts := make([]string, 0, len(list))
	for _, address := range list {
		if address.Name == "" {
			texts = append(texts, address.Address)
			continue
		}
		texts = append(texts, fmt.Sprintf("%s <%s>", address.Name, address.Address))
	}
	return texts
}

// add takes a part: the text, the HTML, or the name of an attachment.
func (m *Message) add(part *mail.Part) error {
	switch header := part.Header.(type) {
	case *mail.InlineHeader:
		kind, _, _ := header.ContentType() // text by default
		body, err := io.ReadAll(part.Body)
		if err != nil {
			return err
		}
		switch {
		case kind == "text/html":
			m.HTML += string(body)
		case kind == "" || strings.HasPrefix(kind, "text/"):
			m.Text += string(body)
		}
	case *mail.AttachmentHeader:
		name, err := header.Filename()
		if err != nil || name == "" {
			name = "unnamed"
		}
		m.Attachments = append(m.Attachments, name)
	}
	return nil
}
