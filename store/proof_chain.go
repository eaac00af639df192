package store

import (
	"context"
	"encoding/hex"
	"errors"
	"math"
	"time"

	"waybill/domain/proof"
	"waybill/store/queries"
)

// manifest is what a proof of the order says, for its chain.
func manifest(p *queries.AddProofParams) proof.Manifest {
	m := proof.Manifest{
		Action: p.ActionID, Comment: p.Comment, Order: p.OrderID, Signee: p.Signee, Type: p.Type,
		Accuracy: number(p.Accuracy), Distance: number(p.Distance),
		Latitude: number(p.Latitude), Longitude: number(p.Longitude),
		Occurred: moment(*p.OccurredAt), Signature: hex.EncodeToString(p.Signature),
	}
	for _, picture := range p.Pictures {
		m.Pictures = append(m.Pictures, hex.EncodeToString(picture))
	}
	return m
}

// number is one that may be absent.
func number(v float64) *float64 {
	if math.IsNaN(v) {
		return nil
	}
	return &v
}

// moment is a time as the database keeps it.
func moment(at time.Time) time.Time { return at.UTC().Truncate(time.Microsecond) }

// addProof keeps a proof of an order that is locked, and appends it to the chain.
func addProof(ctx context.Context, q *queries.Queries, p *queries.AddProofParams, m *proof.Manifest) error {
	text, at := m.Open()
	return errors.Join(q.AddProof(ctx, *p), q.ChainProof(ctx, queries.ChainProofParams{
		OrgID: p.OrgID, OrderID: p.OrderID, Open: text, At: int32(at),
	}))
}

// proofsAtOnce is how many proofs a walk reads at once.
const proofsAtOnce = 500

// VerifyProofs walks the chain of an organization's proofs, and returns how many
// there are. The first that is not as it was made is a *proof.Broken.
func (s *Store) VerifyProofs(ctx context.Context, org int64) (int64, error) {
	var chain proof.Chain
	err := s.InReadOnlyTx(ctx, org, func(t *Tx) error {
		for {
			rows, err := t.q.ChainedProofs(ctx, queries.ChainedProofsParams{
				OrgID: org, After: chain.Seq, PageSize: proofsAtOnce,
			})
			if err != nil {
				return err
			}
			for i := range rows {
				if err := chain.Next(newLink(&rows[i])); err != nil {
					return err
				}
			}
			if len(rows) < proofsAtOnce {
				break
			}
		}
		last, err := t.q.LastProof(ctx, org)
		if errors.Is(translate(err), ErrNotFound) {
			return chain.End(0, nil)
		}
		if err != nil {
			return err
		}
		return chain.End(last.Seq, last.Hash)
	})
	return chain.Seq, err
}

func newLink(r *queries.ChainedProofsRow) *proof.Link {
	says := proof.Manifest{
		Action: r.Action, Comment: r.Comment, Device: r.DeviceID, Driver: r.DriverID, Order: r.OrderID, Stop: r.StopID,
		Signee: r.Signee, Signature: r.Signature, Type: r.Type, Pictures: r.Pictures, Occurred: moment(r.OccurredAt),
		Accuracy: r.AccuracyMeters, Distance: r.DistanceMeters, Latitude: r.Latitude, Longitude: r.Longitude,
	}
	if r.ReceivedAt != nil {
		received := moment(*r.ReceivedAt)
		says.Received = &received
	}
	return &proof.Link{Seq: r.Seq, Text: r.Manifest, Hash: r.Hash, Says: says}
}
