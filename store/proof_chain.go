package store

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"math"
	"time"

	"waybill/domain/driving"
	"waybill/domain/proof"
	"waybill/store/queries"
)

// manifest is the content of a proof that its chain covers.
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

// mostScans is how many scans a proof keeps.
const mostScans = 1000

// keepScans puts what was scanned into a proof and its manifest.
func keepScans(p *queries.AddProofParams, m *proof.Manifest, scans []driving.Barcode) error {
	if len(scans) == 0 {
		return nil
	}
	for _, scan := range scans[:min(len(scans), mostScans)] {
		m.Scans = append(m.Scans, proof.Scan{Code: scan.Code, Product: scan.ProductID})
	}
	text, err := json.Marshal(m.Scans)
	p.Scans = string(text)
	return err
}

// number is an optional number.
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

// proofsAtOnce is how many proofs are read at once.
const proofsAtOnce = 500

// VerifyProofs checks the chain of an organization's proofs, which must contain
// the given hash, if any. The first proof that was changed is returned as a
// *proof.Broken.
func (s *Store) VerifyProofs(ctx context.Context, org int64, noted []byte) (chain proof.Chain, err error) {
	err = s.InReadOnlyTx(ctx, org, func(t *Tx) error {
		chain = proof.Chain{Noted: noted}
		for {
			rows, err := t.q.ChainedProofs(ctx, queries.ChainedProofsParams{
				OrgID: org, After: chain.Seq, PageSize: proofsAtOnce,
			})
			if err != nil {
				return err
			}
			archived, err := t.q.ArchivedProofs(ctx, queries.ArchivedProofsParams{
				OrgID: org, After: chain.Seq, PageSize: proofsAtOnce,
			})
			if err == nil {
				err = follow(&chain, rows, archived)
			}
			if err != nil {
				return err
			}
			if len(rows) < proofsAtOnce && len(archived) < proofsAtOnce {
				break
			}
		}
		last, err := t.q.LastProof(ctx, org)
		if err != nil {
			return err
		}
		return chain.End(
			proof.Last{Seq: last.Seq, Hash: last.Hash}, proof.Last{Seq: last.ToldSeq, Hash: last.ToldHash})
	})
	return chain, err
}

// NamedPicture is a picture or signature that a proof names, with its object
// storage key, which is empty until the bytes arrive.
type NamedPicture = queries.NamedPicturesRow

// NamedPictures returns the pictures that proofs of the chain name, after a
// given proof, and the last of those proofs.
func (s *Store) NamedPictures(ctx context.Context, org, after int64) (pictures []NamedPicture, last int64, err error) {
	last = after + proofsAtOnce
	pictures, err = s.of(org).NamedPictures(ctx, queries.NamedPicturesParams{OrgID: org, After: after, Upto: last})
	return pictures, last, translate(err)
}

// follow continues with two pages of links, of proofs and of removed ones, in
// the order of the chain. It stops at the end of the first page that may not be
// the last.
func follow(chain *proof.Chain, rows []queries.ChainedProofsRow, archived []queries.ArchivedProofsRow) error {
	end := int64(math.MaxInt64)
	if len(rows) == proofsAtOnce {
		end = rows[len(rows)-1].Seq
	}
	if len(archived) == proofsAtOnce {
		end = min(end, archived[len(archived)-1].Seq)
	}
	for chain.Seq < end && (len(rows) > 0 || len(archived) > 0) {
		var link *proof.Link
		var err error
		if len(rows) == 0 || len(archived) > 0 && archived[0].Seq < rows[0].Seq {
			link, archived = &proof.Link{Seq: archived[0].Seq, Hash: archived[0].Hash, Archived: true}, archived[1:]
		} else {
			link, err = newLink(&rows[0])
			rows = rows[1:]
		}
		if err == nil {
			err = chain.Next(link)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func newLink(r *queries.ChainedProofsRow) (*proof.Link, error) {
	says := proof.Manifest{
		Action: r.Action, Comment: r.Comment, Device: r.DeviceID, Driver: r.DriverID, Order: r.OrderID, Stop: r.StopID,
		Signee: r.Signee, Signature: r.Signature, Type: r.Type, Pictures: r.Pictures, Occurred: moment(r.OccurredAt),
		Accuracy: r.AccuracyMeters, Distance: r.DistanceMeters, Latitude: r.Latitude, Longitude: r.Longitude,
	}
	if r.ReceivedAt != nil {
		received := moment(*r.ReceivedAt)
		says.Received = &received
	}
	if err := json.Unmarshal(r.Scans, &says.Scans); err != nil {
		return nil, &proof.Broken{Seq: r.Seq, Why: "its scans are none"}
	}
	return &proof.Link{Seq: r.Seq, Text: r.Manifest, Hash: r.Hash, Erased: r.Erased, Says: says}, nil
}
