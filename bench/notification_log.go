package main

import (
	"bytes"
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// The targets of the notifications log, compared with one a hundredth as long.
const (
	logOfOrderTarget   = 1.5
	logOfAddressTarget = 3.0
)

// messagesOfOrder is how many messages each order in the log has.
const messagesOfOrder = 10

// logRows fill a log. Every address is unique and random.
var logRows = []string{
	`insert into orders (org_id, number, serial, date, customer_id, order_type_id, vehicle_type_id)
	 select @org, 'L-' || n, n, date '2027-03-01', c.id, t.id, v.id
	 from generate_series(1, @orders::int) n,
	 (select min(id) as id from customers where org_id = @org) c,
	     (select min(id) as id from order_types where org_id = @org) t,
	 (select min(id) as id from vehicle_types where org_id = @org) v`,
	`insert into notifications (org_id, channel, key, workflow_id, run_id, event, event_id, rule_id, order_id, receiver,
	    sender,
	     subject, body, body_html, provider, status, sent_at)
	 select @org, 'EMAIL', o.id || '-' || r.id || '-' || n, 'notification', 'run', 'ORDER_CREATED', o.id, r.id, o.id,
	     substr(md5(o.id || '-' || n), 1, 12) || '@post.example', 'post@bench.example',
	         'Ordre ' || o.number || ' er registrert',
	     repeat('Hei, vi har registrert ordren. ', 5), '<p>' || repeat('Hei, vi har registrert ordren. ', 5) || '</p>',
	         'smtp', 'sent', now()
	 from orders o join notification_rules r on r.org_id = o.org_id
	     cross join generate_series(1, @messages::int) n where o.org_id = @org`,
}

// logged is an organization with messages in its log, and the searched values.
type logged struct {
	*organization

	byOrder, byAddress []byte
}

// measureNotificationLog searches a short log, and then a long one in the same
// tables.
func measureNotificationLog(ctx context.Context, s *site) ([]result, error) {
	short, err := s.newLog(ctx, s.sizes.FewMessages)
	if err != nil {
		return nil, err
	}
	fewByOrder, fewByAddress, err := s.searchLog(ctx, short)
	if err != nil {
		return nil, err
	}
	long, err := s.newLog(ctx, s.sizes.ManyMessages)
	if err != nil {
		return nil, err
	}
	manyByOrder, manyByAddress, err := s.searchLog(ctx, long)
	if err != nil {
		return nil, err
	}
	of := fmt.Sprintf("%d messages : %d", s.sizes.ManyMessages, s.sizes.FewMessages)
	return []result{
		atMost(logOfOrderTarget, "log of one order, "+of, "ms", manyByOrder, fewByOrder, manyByOrder/fewByOrder),
		atMost(logOfAddressTarget, "log of a part of an address, "+of, "ms",
			manyByAddress, fewByAddress, manyByAddress/fewByAddress),
	}, nil
}

func (s *site) newLog(ctx context.Context, messages int) (*logged, error) {
	org, err := s.newOrganization(ctx, fmt.Sprintf("log-%d", messages))
	if err != nil {
		return nil, err
	}
	args := pgx.NamedArgs{"org": org.id, "orders": messages / messagesOfOrder, "messages": messagesOfOrder}
	for _, statement := range append([]string{emailRule}, logRows...) {
		if _, err := s.owner.Exec(ctx, statement, args); err != nil {
			return nil, fmt.Errorf("make a log of %d messages: %w", messages, err)
		}
	}
	if _, err := s.owner.Exec(ctx, "vacuum (analyze) notifications, orders"); err != nil {
		return nil, fmt.Errorf("vacuum: %w", err)
	}
	if err := s.checkpoint(ctx); err != nil { // otherwise written pages are flushed during the reads
		return nil, fmt.Errorf("checkpoint: %w", err)
	}
	l := &logged{organization: org}
	var order int64
	var receiver string
	// One in the middle.
	err = s.owner.QueryRow(ctx, "select order_id, receiver from notifications where org_id = $1 order by id offset $2 "+
		"limit 1",
		org.id, messages/2).Scan(&order, &receiver)
	l.byOrder = fmt.Appendf(nil, `{"orderId": %d, "page": 1, "perPage": 100}`, order)
	l.byAddress = fmt.Appendf(nil, `{"receiverEmail": %q, "page": 1, "perPage": 100}`, receiver[2:11])
	return l, err
}

// searchLog searches again and again for one order and for a part of an
// address, and returns the medians in milliseconds.
func (s *site) searchLog(ctx context.Context, l *logged) (byOrder, byAddress float64, err error) {
	var took pairs
	for i := range feedWarmUp + s.sizes.FeedPages {
		ofOrder, err := s.search(ctx, l, "/v1/order-notifications-log", l.byOrder, messagesOfOrder)
		if err != nil {
			return 0, 0, err
		}
		ofAddress, err := s.search(ctx, l, "/v1/notifications-log/emails", l.byAddress, 1)
		if err != nil {
			return 0, 0, err
		}
		if i >= feedWarmUp {
			took.add(ofOrder, ofAddress)
		}
	}
	return median(took.ours), median(took.bare), nil
}

func (s *site) search(ctx context.Context, l *logged, path string, body []byte, found int) (float64, error) {
	var answer []byte
	took, err := timed(func() (err error) {
		answer, err = s.call(ctx, request{url: s.url + path, key: l.key, body: body})
		return err
	})
	if n := bytes.Count(answer, []byte(`"emailLogId"`)); err == nil && n != found {
		err = fmt.Errorf("%s found %d messages, not %d", path, n, found)
	}
	return took, err
}
