package place

import (
	"hash/fnv"
	"math/bits"
)

const (
	// mostWrong is how many wrong letters are looked for.
	mostWrong = 2
)

// wrongLetters returns how many letters differ between two keys: missing, added, replaced, or
// swapped with their neighbor. It counts up to mostWrong, and returns more than that for all
// keys that differ more. Digits are never wrong letters: 17mai and 18mai differ more.
func wrongLetters(a, b string) int {
	if a == b {
		return 0
	}
	if len(a)-len(b) > mostWrong || len(b)-len(a) > mostWrong || digitsOf(a) != digitsOf(b) {
		return mostWrong + 1
	}
	if bits.OnesCount32(Letters(a)^Letters(b)) > 2*mostWrong {
		return mostWrong + 1
	}
	return alignment(a, b)
}

// alignment is the optimal string alignment distance.
func alignment(a, b string) int {
	rows := [3][longestKey + 1]int{}
	before, last, row := rows[0][:], rows[1][:], rows[2][:]
	for j := range len(b) + 1 {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}

func digitsOf(key string) string {
	var digits []byte
	for i := range len(key) {
		if key[i] >= '0' && key[i] <= '9' {
			digits = append(digits, key[i])
		}
	}
	return string(digits)
}

// Letters returns which letters a key has, one bit each. Keys that differ by n
// letters differ in at most 2n bits, which rules out most keys before they are
// compared.
func Letters(key string) uint32 {
	var set uint32
	for i := range len(key) {
		if c := key[i]; c >= 'a' && c <= 'z' {
			set |= 1 << (c - 'a')
		} else {
			set |= 1 << (26 + c%5)
		}
	}
	return set
}

// heads are how many letters of a name find it by its deletions: longer heads
// match fewer names, and the shorter one matches incomplete input.
var heads = [...]int{4, 7}

// Deletions returns hashes of the first letters of a key, whole and without each one of them.
// Keys whose beginnings differ by one letter have one in common, whichever letter it is.
func Deletions(key string) (all []int32) {
	for _, length := range heads {
		if length <= len(key) || length == heads[0] {
			all = append(all, deletionsOf(key[:min(len(key), length)], length)...)
		}
	}
	return all
}

// TypedDeletions are the Deletions of the longest typed head, or none for a
// shorter text.
func TypedDeletions(typed string) []int32 {
	for i := len(heads) - 1; i >= 0; i-- {
		if len(typed) >= heads[i] {
			return deletionsOf(typed[:heads[i]], heads[i])
		}
	}
	return nil
}

func deletionsOf(head string, length int) []int32 {
	all := []int32{hash(head, length)}
	for i := range len(head) {
		if i == 0 || head[i] != head[i-1] { // the same as without the letter before
			all = append(all, hash(head[:i]+head[i+1:], length))
		}
	}
	return all
}

func hash(text string, length int) int32 {
	h := fnv.New32a()
	_, _ = h.Write([]byte(text)) // never fails
	return int32(h.Sum32()) ^ int32(length)
}
