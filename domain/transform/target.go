package transform

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
	"google.golang.org/protobuf/types/known/structpb"

	"waybill/domain/order"
)

// target is a field that rules may set. They cannot change anything else:
// not the number, the customer, the day, the places and their windows, the
// goods, nor another order.
type target struct {
	takes []*cel.Type
	// put sets a value of the order. It changes no map or list in place, because
	// orders share them.
	put func(o *order.Order, n *names, value ref.Val) error
}

const customFieldPrefix = "customFields."

// Fields returns the fields that rules may set; customFields represents
// each of them by its external id.
func Fields() []string {
	fields := slices.Collect(maps.Keys(targets))
	slices.Sort(fields)
	return append(fields, customFieldPrefix+"<externalId>")
}

func targetOf(field string) (target, error) {
	if name, ok := strings.CutPrefix(field, customFieldPrefix); ok && name != "" {
		return customField(name), nil
	}
	if t, ok := targets[field]; ok {
		return t, nil
	}
	return target{}, fmt.Errorf("a rule cannot set the field %q; it can set %s", field, strings.Join(Fields(), ", "))
}

var targets = map[string]target{
	"reference":             textTarget(maxName, func(o *order.Order) *string { return &o.Reference }),
	"internalFreightNumber": textTarget(maxName, func(o *order.Order) *string { return &o.FreightNumber }),
	"routeNumber":           textTarget(maxName, func(o *order.Order) *string { return &o.RouteNumber }),
	"vehicleType": {takes: []*cel.Type{cel.StringType}, put: func(o *order.Order, n *names, value ref.Val) error {
		id, err := n.vehicleTypes.find("vehicle type", value)
		if err == nil {
			o.VehicleTypeID = id
		}
		return err
	}},
	"groups": {takes: []*cel.Type{cel.ListType(cel.StringType)}, put: func(o *order.Order, n *names, value ref.Val) error {
		ids, err := n.groups.findAll("group", value)
		if err == nil {
			o.Groups = ids
		}
		return err
	}},
	"pickup.instructions": textTarget(maxText, func(o *order.Order) *string { return &o.Pickup.Instructions }),
	"pickup.customerInstructions": textTarget(maxText, func(o *order.Order) *string {
		return &o.Pickup.CustomerInstructions
	}),
	"pickup.parkingInstructions": textTarget(maxText, func(o *order.Order) *string {
		return &o.Pickup.ParkingInstructions
	}),
	"delivery.instructions": textTarget(maxText, func(o *order.Order) *string { return &o.Delivery.Instructions }),
	"delivery.customerInstructions": textTarget(maxText, func(o *order.Order) *string {
		return &o.Delivery.CustomerInstructions
	}),
	"delivery.parkingInstructions": textTarget(maxText, func(o *order.Order) *string {
		return &o.Delivery.ParkingInstructions
	}),

	"pickup.priority":   priorityTarget(pickupOf),
	"delivery.priority": priorityTarget(deliveryOf),

	"pickup.estimatedTimeOnLocation":   minutesTarget(pickupOf),
	"delivery.estimatedTimeOnLocation": minutesTarget(deliveryOf),

	"pickup.sendNotificationBeforeArriving":   notifyTarget(pickupOf),
	"delivery.sendNotificationBeforeArriving": notifyTarget(deliveryOf),

	"pickup.requiredSkills":     skillsTarget(pickupOf, order.SkillRequired),
	"pickup.prohibitedSkills":   skillsTarget(pickupOf, order.SkillProhibited),
	"delivery.requiredSkills":   skillsTarget(deliveryOf, order.SkillRequired),
	"delivery.prohibitedSkills": skillsTarget(deliveryOf, order.SkillProhibited),
}

// The longest texts that an order keeps, in bytes, as in an import.
const (
	maxName = 255
	maxText = 10_000
)

func pickupOf(o *order.Order) *order.Stop   { return &o.Pickup }
func deliveryOf(o *order.Order) *order.Stop { return &o.Delivery }

func textTarget(longest int, field func(*order.Order) *string) target {
	return target{takes: []*cel.Type{cel.StringType}, put: func(o *order.Order, _ *names, value ref.Val) error {
		text, err := textOf(value)
		switch {
		case err != nil:
			return err
		case len(text) > longest:
			return fmt.Errorf("must be %d bytes or fewer", longest)
		}
		*field(o) = text
		return nil
	}}
}

// textOf is a text that the database can keep.
func textOf(value ref.Val) (string, error) {
	text, ok := value.(types.String)
	switch {
	case !ok:
		return "", fmt.Errorf("must be a text, not %s", value.Type().TypeName())
	case !utf8.ValidString(string(text)) || strings.ContainsRune(string(text), 0):
		return "", errors.New("must not contain NUL characters")
	}
	return string(text), nil
}

func textsOf(value ref.Val) ([]string, error) {
	list, ok := value.(traits.Lister)
	if !ok {
		return nil, fmt.Errorf("must be a list of texts, not %s", value.Type().TypeName())
	}
	var out []string
	for it := list.Iterator(); it.HasNext() == types.True; {
		text, err := textOf(it.Next())
		if err != nil {
			return nil, err
		}
		out = append(out, text)
	}
	return out, nil
}

func priorityTarget(stop func(*order.Order) *order.Stop) target {
	return target{takes: []*cel.Type{cel.StringType}, put: func(o *order.Order, _ *names, value ref.Val) error {
		text, err := textOf(value)
		if err != nil {
			return err
		}
		switch p := order.LocationPriority(text); p {
		case order.PriorityLow, order.PriorityNormal, order.PriorityHigh, order.PriorityCritical:
			stop(o).Priority = p
			return nil
		}
		return fmt.Errorf("must be one of %s, %s, %s, %s",
			order.PriorityLow, order.PriorityNormal, order.PriorityHigh, order.PriorityCritical)
	}}
}

func minutesTarget(stop func(*order.Order) *order.Stop) target {
	return target{takes: []*cel.Type{cel.IntType, cel.NullType}, put: func(o *order.Order, _ *names, value ref.Val) error {
		if value == types.NullValue {
			stop(o).EstimatedTimeOnLocation = nil
			return nil
		}
		minutes, ok := value.(types.Int)
		if !ok || minutes < 0 || minutes > 24*60 {
			return fmt.Errorf("must be a whole number of minutes between 0 and %d", 24*60)
		}
		whole := int32(minutes)
		stop(o).EstimatedTimeOnLocation = &whole
		return nil
	}}
}

func notifyTarget(stop func(*order.Order) *order.Stop) target {
	takes := []*cel.Type{cel.BoolType, cel.NullType}
	return target{takes: takes, put: func(o *order.Order, _ *names, value ref.Val) error {
		if value == types.NullValue {
			stop(o).NotifyBeforeArrival = nil
			return nil
		}
		flag, ok := value.(types.Bool)
		if !ok {
			return fmt.Errorf("must be true or false, not %s", value.Type().TypeName())
		}
		notify := bool(flag)
		stop(o).NotifyBeforeArrival = &notify
		return nil
	}}
}

// skillsTarget replaces the skills of one type, and leaves the others.
func skillsTarget(stop func(*order.Order) *order.Stop, typ order.SkillType) target {
	takes := []*cel.Type{cel.ListType(cel.StringType)}
	return target{takes: takes, put: func(o *order.Order, n *names, value ref.Val) error {
		ids, err := n.skills.findAll("skill", value)
		if err != nil {
			return err
		}
		next := maps.Clone(stop(o).Skills)
		maps.DeleteFunc(next, func(_ int64, t order.SkillType) bool { return t == typ })
		for _, id := range ids {
			if other, taken := next[id]; taken && other != typ {
				return fmt.Errorf("the skill %q is both required and prohibited", n.skills.byID[id])
			}
			if next == nil {
				next = map[int64]order.SkillType{}
			}
			next[id] = typ
		}
		if len(next) == 0 {
			next = nil
		}
		stop(o).Skills = next
		return nil
	}}
}

// customField takes any JSON value; null removes the field from the order.
func customField(externalID string) target {
	return target{takes: []*cel.Type{cel.DynType}, put: func(o *order.Order, n *names, value ref.Val) error {
		id, known := n.customFields.byName[externalID]
		if !known {
			return fmt.Errorf("custom field %q not found", externalID)
		}
		next := maps.Clone(o.CustomFields)
		if value == types.NullValue {
			delete(next, id)
			o.CustomFields = next
			return nil
		}
		text, err := jsonOf(value)
		if err != nil {
			return err
		}
		if next == nil {
			next = map[int64]order.FieldValue{}
		}
		next[id] = order.FieldValue{JSON: text, Stop: next[id].Stop}
		o.CustomFields = next
		return nil
	}}
}

func jsonOf(value ref.Val) (string, error) {
	native, err := value.ConvertToNative(reflect.TypeFor[*structpb.Value]())
	if err != nil {
		return "", fmt.Errorf("a custom field cannot have a value of type %s", value.Type().TypeName())
	}
	raw, err := json.Marshal(native.(*structpb.Value).AsInterface())
	if err != nil {
		return "", errors.New("cannot be written as JSON")
	}
	text, ok := order.CanonicalJSON(raw)
	switch {
	case !ok:
		return "", errors.New("holds a number that is out of range")
	case len(text) > maxText:
		return "", fmt.Errorf("must be %d bytes or fewer", maxText)
	case strings.Contains(text, `\u0000`):
		return "", errors.New("must not contain NUL characters")
	}
	return text, nil
}
