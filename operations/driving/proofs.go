package driving

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"

	"waybill/domain/attachment"
	"waybill/domain/fault"
	"waybill/domain/proof"
	"waybill/store"
)

// PictureReader opens the bytes of pictures by where they lie.
type PictureReader interface {
	Read(ctx context.Context, key string) (attachment.Content, error)
}

// ProofsVerified is what verifying found, when it found nothing wrong.
type ProofsVerified struct {
	// Count is how many proofs there are, and Last the hash of the last one's manifest.
	Count int64
	Last  []byte
	// Erased is from how many of them somebody was erased: they are as they were made
	// but for that, as far as can be known.
	Erased int
	// Archived is how many of them were removed because of their age: their hashes are
	// in the chain, and all else is in archives.
	Archived int
	// Named is how many pictures and signatures they name, and Arrived the bytes of
	// how many of them are there.
	Named, Arrived int
}

// VerifyProofs walks the chain of an organization's proofs, and reads the pictures
// that they name, unless pictures is nil. The first proof that is not as it was
// made is a *proof.Broken; when the chain has none whose hash was noted, that is a
// *proof.Absent.
func (o *Operations) VerifyProofs(
	ctx context.Context, org int64, noted []byte, pictures PictureReader,
) (ProofsVerified, error) {
	chain, err := o.store.VerifyProofs(ctx, org, noted)
	found := ProofsVerified{Count: chain.Seq, Last: chain.Hash, Erased: chain.Erased, Archived: chain.Archived}
	if err != nil || pictures == nil {
		return found, err
	}
	for after := int64(0); after < chain.Seq; {
		var named []store.NamedPicture
		if named, after, err = o.store.NamedPictures(ctx, org, after); err != nil {
			return found, err
		}
		for i := range named {
			found.Named++
			if named[i].StorageKey == "" {
				continue
			}
			found.Arrived++
			if err := verifyPicture(ctx, pictures, &named[i]); err != nil {
				return found, err
			}
		}
	}
	return found, nil
}

// verifyPicture compares the bytes of a picture with the hash that names it.
func verifyPicture(ctx context.Context, pictures PictureReader, p *store.NamedPicture) (err error) {
	content, err := pictures.Read(ctx, p.StorageKey)
	if fault.KindOf(err) == fault.NotFound {
		return &proof.Broken{Seq: p.Seq, Why: "its picture " + p.Sha256 + " is gone"}
	}
	if err != nil {
		return fmt.Errorf("read picture %s: %w", p.Sha256, err)
	}
	defer func() { err = errors.Join(err, content.Close()) }()
	sum := sha256.New()
	if _, err := io.Copy(sum, content); err != nil {
		return fmt.Errorf("read picture %s: %w", p.Sha256, err)
	}
	wanted, err := hex.DecodeString(p.Sha256)
	if err == nil && !bytes.Equal(sum.Sum(nil), wanted) {
		err = &proof.Broken{Seq: p.Seq, Why: "its picture " + p.Sha256 + " has different bytes"}
	}
	return err
}
