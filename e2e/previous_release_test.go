package e2e_test

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"waybill/api/contract"
	"waybill/internal/child"
	"waybill/testing/stack"
	"waybill/workflows"
)

// previousRelease is the commit of the release before this one, v0.2.0. Its program
// must work on the schema of this one. Set it when you release.
const previousRelease = "08a983d739b4e1484470022810c66bd220075256"

// buildPrevious builds the previous release from the history of the repository,
// and returns the folder of its sources, with the program in bin/waybill. Where
// the history is not there, as in a shallow clone or an archive, the test is
// skipped, but not in CI.
func buildPrevious(t *testing.T) string {
	t.Helper()
	if found, err := git(t, "cat-file", "-e", previousRelease+"^{commit}").CombinedOutput(); err != nil {
		const lacks = "the commit of the previous release, %s, is not here: fetch the whole history (git fetch --unshallow). %s"
		if os.Getenv("CI") != "" {
			t.Fatalf(lacks, previousRelease, found)
		}
		t.Skipf(lacks, previousRelease, found)
	}
	dir := t.TempDir()
	archive, err := git(t, "archive", previousRelease).Output()
	require.NoError(t, err)
	untar := exec.CommandContext(t.Context(), "tar", "-x", "-C", dir)
	untar.Stdin = bytes.NewReader(archive)
	require.NoError(t, untar.Run())
	build := exec.CommandContext(t.Context(), "go", "build", "-buildvcs=false", "-o", "bin/waybill", "./cmd/waybill")
	build.Dir = dir
	said, err := build.CombinedOutput()
	require.NoError(t, err, string(said))
	return dir
}

func git(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	// A checkout of another account is fine to read from.
	return exec.CommandContext(t.Context(), "git", append([]string{"-c", "safe.directory=*", "-C", ".."}, args...)...)
}

// empty removes everything from the database, including migrations.
func (i *installation) empty(t *testing.T) {
	t.Helper()
	i.emptySchema(t)
	// The next database is another installation: the namespace is unclaimed.
	schedules := i.temporalClient(t).ScheduleClient()
	require.NoError(t, schedules.GetHandle(t.Context(), workflows.InstallationSchedule).Delete(t.Context()))
}

// emptySchema is empty for a database that no namespace belongs to yet.
func (i *installation) emptySchema(t *testing.T) {
	t.Helper()
	owner, err := pgx.Connect(t.Context(), i.postgres.URL(ownerRole, database))
	require.NoError(t, err)
	defer func() { _ = owner.Close(context.WithoutCancel(t.Context())) }()
	_, err = owner.Exec(t.Context(), "drop schema public cascade; create schema public; grant usage on schema public to public")
	require.NoError(t, err)
}

// via is the same installation as another process of serve answers for it.
func (o *organization) via(address string, serve *stack.Process) *organization {
	i := *o.installation
	i.address, i.processes = address, map[string]*stack.Process{"serve": serve}
	return &organization{installation: &i, id: o.id, slug: o.slug, key: o.key}
}

// refusedStatement is the database's error for a statement that does not fit
// its schema: an unknown name, or a row that violates a constraint.
var refusedStatement = regexp.MustCompile(`.*SQLSTATE (42|23).*`)

// requireUnderstood requires that the database has refused no statement.
func (i *installation) requireUnderstood(t *testing.T, names ...string) {
	t.Helper()
	for _, name := range names {
		files, err := filepath.Glob(i.log(name) + "*") // with that of the process before
		require.NoError(t, err)
		require.NotEmpty(t, files, name)
		for _, file := range files {
			log, err := os.ReadFile(file)
			require.NoError(t, err)
			require.Empty(t, string(refusedStatement.Find(log)), file)
		}
	}
}

// The previous release works with this one's schema: before the new programs
// start, next to them, and again after they have stopped.
func TestThePreviousReleaseWorksOnThisSchema(t *testing.T) {
	t.Parallel()
	previous := buildPrevious(t)
	i := install(t)
	present := i.program
	i.program = filepath.Join(previous, "bin", "waybill")
	i.isPrevious = true
	i.empty(t)
	_, err := i.command(t.Context(), "migrate")
	require.NoError(t, err)
	document, err := os.ReadFile(filepath.Join(previous, "demo", "organization.yaml"))
	require.NoError(t, err)
	document = bytes.Replace(document, []byte("slug: nordfrakt"), []byte("slug: "+keptSlug), 1)
	o := i.organizationNamed(t, keptSlug, document)
	for _, command := range []string{"serve", "work"} {
		require.NoError(t, i.start(command))
	}
	require.NoError(t, i.ready(t.Context()))
	template := o.createTemplate(t).RecurringOrderID
	o.awaitOccurrences(t, template, 7)
	o.works(t, "BEFORE", template)
	if *recordDump {
		o.fill(t, template)
		i.dump(t)
		return
	}

	i.program = present
	_, err = i.command(t.Context(), "migrate")
	require.NoError(t, err)
	o.works(t, "OLD", template)

	port, err := child.FreePort()
	require.NoError(t, err)
	address := fmt.Sprintf("127.0.0.1:%d", port)
	require.NoError(t, i.startAs("serve-now", "serve", "WAYBILL_HTTP_ADDR="+address))
	require.NoError(t, i.startAs("work-now", "work"))
	now := o.via(address, i.processes["serve-now"])
	now.isPrevious = false
	require.NoError(t, now.ready(t.Context()))
	now.works(t, "NEW", template)
	o.works(t, "BESIDE", template)

	require.NoError(t, i.processes["work-now"].Stop())
	require.NoError(t, i.processes["serve-now"].Stop())
	o.works(t, "AGAIN", template)
	i.requireUnderstood(t, "serve", "work", "serve-now", "work-now")
}

// works requires that everything that an integration uses works. The mark is
// part of the names of its records.
func (o *organization) works(t *testing.T, mark string, template int64) {
	t.Helper()
	o.importsAndReads(t, mark)
	o.exports(t, mark)
	o.books(t, mark)

	// A message is sent.
	order := orderID(t, o.importOrders(t, orders(o.reachable(mark+"-MAIL", "olaug@example.com", "400 00 007")))[0])
	o.awaitMessage(t, order, contract.NotificationTypeEMAIL, "ORDER_CREATED", "sent")

	// A template generates one day more.
	occurrences := o.occurrences(t, template)
	o.change(t, template, object{"daysToGenerateAhead": occurrences})
	o.awaitOccurrences(t, template, occurrences+1)
}

// importsAndReads imports orders, synchronously and in the background, changes
// and cancels them, and finds them in reads and in the feed.
func (o *organization) importsAndReads(t *testing.T, mark string) {
	t.Helper()
	results := o.importOrders(t, orders(newOrder(mark), newOrder(mark+"-CANCEL")))
	require.Equal(t, map[string]int{"orderCreated": 2}, kinds(results))
	order := orderID(t, results[0])
	require.Equal(t, map[string]int{"orderUpdated": 1}, kinds(o.importOrders(t, orders(newOrder(mark, object{"reference": "again"})))))
	late := o.expect(t, http.StatusAccepted, http.MethodPost, "/v3/orders/import", orders(newOrder(mark+"-LATE")), "Prefer", "respond-async")
	require.Equal(t, map[string]int{"orderCreated": 1}, kinds(o.await(t, late.header.Get("Location"))))
	o.expect(t, http.StatusOK, http.MethodPost, "/v2/orders/cancel-orders", object{"externalIds": []string{mark + "-CANCEL"}})

	listed := read[[]contract.Order](t, o.get(t, "/v1/orders?startDate=2026-03-02&endDate=2026-03-02"))
	require.True(t, slices.ContainsFunc(listed, func(l contract.Order) bool { return l.OrderID == order }))
	require.NotEmpty(t, o.reserve(t, mark).Delivery.Code)

	eventually(t, "the feed says what happened to "+mark, func() bool {
		said := map[string][]string{}
		for token, more := "", true; more; {
			page := read[contract.OrderStatusFeed](t, o.get(t, "/v2/orders/summary/orderstatusfeed?pageSize=1000&token="+token))
			for _, item := range page.Items {
				said[item.ExternalID] = append(said[item.ExternalID], string(item.Status))
			}
			token, more = page.NextToken, page.HasMore
		}
		return len(said[mark]) == 1 && len(said[mark+"-LATE"]) == 1 && len(said[mark+"-CANCEL"]) == 2
	})
}

// exports offers an order to its carrier, in two pages, and takes the
// acknowledgement.
func (o *organization) exports(t *testing.T, mark string) {
	t.Helper()
	numbers := []string{mark + "-C1", mark + "-C2"}
	o.importOrders(t, orders(carrierOrder(numbers[0]), carrierOrder(numbers[1])))
	o.awaitFeed(t, 2)
	for page := range 2 {
		feed := o.feed(t, fmt.Sprintf("?perPage=1&page=%d", page+1))
		require.Len(t, feed.Shipments, 1)
	}
	for _, shipment := range o.awaitFeed(t, 2) {
		o.exported(t, shipment.ExportToken)
	}
	o.awaitFeed(t, 0)
}

// books books a seat for an order, on a day on which the demo offers intervals
// in Oslo.
func (o *organization) books(t *testing.T, mark string) {
	t.Helper()
	order := o.order(t, mark+"-BOOK")
	day := weekdayAhead(3)
	free := slices.IndexFunc(o.intervals(t, day, "&orderType=standard"), func(i contract.ScheduleInterval) bool {
		return i.BookedSlots < i.TotalAvailableSlots && i.PickupEarliest.After(time.Now())
	})
	require.NotEqual(t, -1, free)
	interval := o.intervals(t, day, "&orderType=standard")[free]
	o.expect(t, http.StatusOK, http.MethodPost, ofOrder(order, "book-on-interval"), on(interval.IntervalID))
	require.Equal(t, interval.BookedSlots+1, o.booked(t, day, interval.IntervalID))
}
