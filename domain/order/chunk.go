package order

// ChunkSize is about how many entries are worked on in one transaction.
const ChunkSize = 500

// Cut divides entries into chunks of about size entries, by their positions;
// numbers are the entries' order numbers. Entries of the same number go into
// the same chunk, because a later one must see the effect of an earlier one; a
// chunk keeps the order of the request.
func Cut(numbers []string, size int) [][]int32 {
	var chunks [][]int32
	home := make(map[string]int, len(numbers))
	for i, number := range numbers {
		at, known := home[number]
		if !known || number == "" {
			if len(chunks) == 0 || len(chunks[len(chunks)-1]) >= size {
				chunks = append(chunks, make([]int32, 0, size))
			}
			at = len(chunks) - 1
			home[number] = at
		}
		chunks[at] = append(chunks[at], int32(i))
	}
	return chunks
}
