package orders_test

import (
	"encoding/json"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
)

// listed is what is read of an order in a page.
type listed struct {
	Number   string `json:"internal_order_number"`
	Customer *struct {
		ID int64 `json:"customer_id"`
	} `json:"customer"`
	Stops []json.RawMessage `json:"order_locations"`
}

// page requests a page of orders, and returns its items.
func (d desk) page(t *testing.T, method, path string, body any) []listed {
	t.Helper()
	w := d.ask(method, path, body)
	require.Equal(t, http.StatusOK, w.Code, w.Body)
	var page struct {
		Items []listed `json:"items"`
		Total int64    `json:"total"`
	}
	require.NoError(t, json.Unmarshal(w.Body.Bytes(), &page))
	require.EqualValues(t, len(page.Items), page.Total)
	return page.Items
}

func TestAPageOfOrdersHasTheirRelations(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	for _, number := range []string{"PAGE-1", "PAGE-2", "PAGE-3"} {
		d.Import(number)
	}
	asked := map[string]any{
		"order_status_ids": []int{1, 2}, "sort_by": "-order_id", "loads": []string{"Customer", "OrderLocations.Address"},
	}
	items := d.page(t, http.MethodPost, "/v1/orders/paginated", asked)
	require.Len(t, items, 3)
	for i, number := range []string{"PAGE-3", "PAGE-2", "PAGE-1"} {
		require.Equal(t, number, items[i].Number, "a page keeps its order")
		require.NotNil(t, items[i].Customer)
		require.Len(t, items[i].Stops, 2)
	}
	delete(asked, "loads")
	require.Nil(t, d.page(t, http.MethodPost, "/v1/orders/paginated", asked)[0].Customer)

	found := d.page(t, http.MethodGet, "/v1/orders/search?query=PAGE-2&loads=Customer", nil)
	require.Len(t, found, 1)
	require.NotNil(t, found[0].Customer)
	require.Empty(t, found[0].Stops)

	asked["loads"] = []string{"Weather"}
	require.Equal(t, http.StatusBadRequest, d.ask(http.MethodPost, "/v1/orders/paginated", asked).Code)
	require.Equal(t, http.StatusBadRequest, d.ask(http.MethodGet, "/v1/orders/search?query=PAGE&loads=Weather", nil).Code)
}
