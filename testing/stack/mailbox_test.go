package stack_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/smtp"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/testing/stack"
)

const twoParts = "From: Nordfrakt <post@nordfrakt.example>\r\n" +
	"To: =?utf-8?q?Kari_=C3=98deg=C3=A5rd?= <kari@example.com>\r\n" +
	"Subject: =?utf-8?q?Levering_p=C3=A5_vei?=\r\n" +
	"Date: Mon, 02 Mar 2026 08:30:00 +0100\r\n" +
	"MIME-Version: 1.0\r\n" +
	"Content-Type: multipart/alternative; boundary=b\r\n\r\n" +
	"--b\r\nContent-Type: text/plain; charset=utf-8\r\n\r\nPakken er på vei.\r\n" +
	"--b\r\nContent-Type: text/html; charset=utf-8\r\n\r\n<p>Pakken er <b>på vei</b>.</p>" +
	"<script>alert(1)</script>\r\n--b--\r\n"

func startMailbox(t *testing.T) *stack.Mailbox {
	t.Helper()
	box, err := stack.NewMailbox(stack.MailboxOptions{Dir: t.TempDir()})
	require.NoError(t, err)
	require.NoError(t, box.Start(t.Context()))
	t.Cleanup(func() { require.NoError(t, box.Stop()) })
	return box
}

func send(t *testing.T, box *stack.Mailbox, message string) {
	t.Helper()
	address := strings.TrimPrefix(box.SMTPURL(), "smtp://")
	require.NoError(t, smtp.SendMail(address, nil, "bounce@nordfrakt.example",
		[]string{"kari@example.com", "hidden@example.com"}, []byte(message)))
}

func get(t *testing.T, url, accept string) (body string, header http.Header) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, http.NoBody)
	require.NoError(t, err)
	request.Header.Set("Accept", accept)
	response, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, response.StatusCode, string(text))
	return string(text), response.Header
}

// listed reads the mailbox as a program would.
func listed(t *testing.T, box *stack.Mailbox) []stack.Message {
	t.Helper()
	var list struct {
		Messages []stack.Message `json:"messages"`
	}
	body, _ := get(t, box.PageURL()+"/messages", "application/json")
	require.NoError(t, json.Unmarshal([]byte(body), &list))
	return list.Messages
}

func TestMailbox(t *testing.T) {
	t.Parallel()

	t.Run("ListsTheNewestFirst", func(t *testing.T) {
		t.Parallel()
		box := startMailbox(t)
		require.Empty(t, listed(t, box))
		send(t, box, "Subject: first\r\n\r\none")
		send(t, box, twoParts)
		messages := listed(t, box)
		require.Len(t, messages, 2)
		require.Equal(t, "Levering på vei", messages[0].Subject)
		require.Equal(t, []string{"Kari Ødegård <kari@example.com>"}, messages[0].To)
		require.Equal(t, []string{"kari@example.com", "hidden@example.com"}, messages[0].Receivers)
		require.Equal(t, "first", messages[1].Subject)
		require.False(t, messages[1].Date.IsZero())

		page, _ := get(t, box.PageURL()+"/", "text/html")
		require.Contains(t, page, "Levering på vei")
	})

	t.Run("IsForThisMachine", func(t *testing.T) {
		t.Parallel()
		box := startMailbox(t)
		for host, status := range map[string]int{
			"localhost:8025": http.StatusOK, "127.0.0.1:8025": http.StatusOK, "[::1]:8025": http.StatusOK, "localhost": http.StatusOK,
			"evil.example:8025": http.StatusForbidden, "192.0.2.1:8025": http.StatusForbidden,
		} {
			request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, box.PageURL()+"/messages", http.NoBody)
			require.NoError(t, err)
			request.Host = host
			response, err := http.DefaultClient.Do(request)
			require.NoError(t, err)
			require.NoError(t, response.Body.Close())
			require.Equal(t, status, response.StatusCode, host)
		}
	})

	t.Run("KeepsEachMessageAsAFile", func(t *testing.T) {
		t.Parallel()
		box := startMailbox(t)
		send(t, box, twoParts)
		files, err := os.ReadDir(box.Dir())
		require.NoError(t, err)
		require.Len(t, files, 1)
		require.True(t, strings.HasSuffix(files[0].Name(), ".eml"))
	})

	t.Run("ShowsBothPartsAndLetsTheHTMLDoNothing", func(t *testing.T) {
		t.Parallel()
		box := startMailbox(t)
		send(t, box, twoParts)
		url := box.PageURL() + "/messages/" + listed(t, box)[0].ID

		page, _ := get(t, url, "text/html")
		require.Contains(t, page, "Pakken er på vei.")
		require.NotContains(t, page, "<script>")
		html, header := get(t, url+"/html", "text/html")
		require.Contains(t, html, "<b>på vei</b>")
		require.Contains(t, header.Get("Content-Security-Policy"), "sandbox")
		require.Contains(t, header.Get("Content-Security-Policy"), "default-src 'none'")
	})

	t.Run("AMessageThatIsNotThereIsNotFound", func(t *testing.T) {
		t.Parallel()
		box := startMailbox(t)
		for _, id := range []string{"none", "..%2f..%2fetc%2fpasswd"} {
			request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, box.PageURL()+"/messages/"+id, http.NoBody)
			require.NoError(t, err)
			response, err := http.DefaultClient.Do(request)
			require.NoError(t, err)
			require.NoError(t, response.Body.Close())
			require.Equal(t, http.StatusNotFound, response.StatusCode)
		}
	})
}
