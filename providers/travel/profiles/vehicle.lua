-- The profile of a class of vehicles for osrm-extract. A line above this one sets `vehicle`:
-- its mode, what its class says, and the top speed. What the class does not say is as in the
-- profile of cars that comes with OSRM, which this one extends.

local car = require('car')
local truck = vehicle.mode == 'truck'

-- How much worse a ferry or a toll road is for vehicles that avoid them. They still use one
-- where there is no other way, or only a way that is so many times as long.
local avoided = 50

-- With these tags, a road is open to trucks that have business there, and to no others.
local local_traffic = Set { 'no', 'destination', 'delivery', 'private', 'customers', 'permit', 'residents', 'discouraged' }

-- The tags that say who may use a road, the most specific one first. A sign against trucks
-- keeps through traffic out, so the road counts as for local traffic only, and what the other
-- tags say decides the rest.
local for_all = Sequence { 'motor_vehicle', 'vehicle', 'access' }
local for_trucks = Sequence { 'hgv', 'motor_vehicle', 'vehicle', 'access' }

local function setup()
  local profile = car.setup()
  profile.vehicle_height = vehicle.height or profile.vehicle_height
  profile.vehicle_width = vehicle.width or profile.vehicle_width
  profile.vehicle_length = vehicle.length or profile.vehicle_length
  profile.vehicle_weight = vehicle.weight or profile.vehicle_weight
  profile.vehicle_max_speed = vehicle.top_speed
  if truck then
    profile.access_tags_hierarchy = for_trucks
    profile.restrictions = Sequence { 'hgv', 'motor_vehicle', 'vehicle' }
  end
  return profile
end

-- forward_and_backward returns the values of a tag for either direction.
local function forward_and_backward(way, key)
  local both = way:get_value_by_key(key)
  return way:get_value_by_key(key .. ':forward') or both, way:get_value_by_key(key .. ':backward') or both
end

local function close_if(result, forward, backward)
  if forward then result.forward_mode = mode.inaccessible end
  if backward then result.backward_mode = mode.inaccessible end
end

-- limit_size closes a way that is too low, narrow, short or weak, or on which hazardous goods are
-- forbidden. The profile of cars opens ferries and movable bridges again.
local function limit_size(profile, way, result)
  local data = {}
  WayHandlers.handle_height(profile, way, result, data)
  WayHandlers.handle_width(profile, way, result, data)
  WayHandlers.handle_length(profile, way, result, data)
  WayHandlers.handle_weight(profile, way, result, data)
  if vehicle.axle_load then
    local forward, backward = forward_and_backward(way, 'maxaxleload')
    forward, backward = Measure.get_max_weight(forward), Measure.get_max_weight(backward)
    close_if(result, forward and forward < vehicle.axle_load, backward and backward < vehicle.axle_load)
  end
  if vehicle.hazmat then
    local forward, backward = forward_and_backward(way, 'hazmat')
    close_if(result, forward == 'no', backward == 'no')
  end
end

-- limit_speed caps the speeds, and the rates by which routes are chosen likewise.
local function limit_speed(profile, way, result)
  local forward, backward = vehicle.top_speed, vehicle.top_speed
  if truck then
    local signed_forward, signed_backward = forward_and_backward(way, 'maxspeed:hgv')
    local function capped(top, signed)
      local speed = Measure.get_max_speed(signed)
      if speed and speed > 0 then return math.min(top or math.huge, speed * profile.speed_reduction) end
      return top
    end
    forward, backward = capped(forward, signed_forward), capped(backward, signed_backward)
  end
  if forward and result.forward_speed > forward then
    result.forward_rate = result.forward_rate * forward / result.forward_speed
    result.forward_speed = forward
  end
  if backward and result.backward_speed > backward then
    result.backward_rate = result.backward_rate * backward / result.backward_speed
    result.backward_speed = backward
  end
end

-- avoid makes a way so much worse that another is taken if there is one.
local function avoid(result)
  if result.forward_rate > 0 then result.forward_rate = result.forward_rate / avoided end
  if result.backward_rate > 0 then result.backward_rate = result.backward_rate / avoided end
  if result.duration > 0 then result.weight = result.duration * avoided end
end

local function has_toll(way)
  if truck and way:get_value_by_key('toll:hgv') then return way:get_value_by_key('toll:hgv') ~= 'no' end
  local forward, backward = forward_and_backward(way, 'toll')
  return forward == 'yes' or backward == 'yes'
end

local function process_way(profile, way, result, relations)
  local forward, backward
  if truck then
    forward, backward = forward_and_backward(way, 'hgv')
    local signed = local_traffic[forward] or local_traffic[backward]
    profile.access_tags_hierarchy = signed and for_all or for_trucks
  end
  car.process_way(profile, way, result, relations)
  if result.forward_mode == mode.inaccessible and result.backward_mode == mode.inaccessible then
    return
  end
  if local_traffic[forward] then result.forward_restricted = true end
  if local_traffic[backward] then result.backward_restricted = true end
  limit_size(profile, way, result)
  limit_speed(profile, way, result)
  if vehicle.avoids_ferries and way:get_value_by_key('route') == 'ferry' or vehicle.avoids_tolls and has_toll(way) then
    avoid(result)
  end
end

-- A limit may also be on a point of a road, such as a bridge above it.
local function process_node(profile, node, result, relations)
  if truck then profile.access_tags_hierarchy = for_all end
  local height = Measure.get_max_height(node:get_value_by_key('maxheight'), node)
  local width = Measure.get_max_width(node:get_value_by_key('maxwidth'))
  local weight = Measure.get_max_weight(node:get_value_by_key('maxweight'))
  if height and height < profile.vehicle_height or width and width < profile.vehicle_width
    or weight and weight < profile.vehicle_weight then
    obstacle_map:add(node, Obstacle.new(obstacle_type.barrier))
  end
  car.process_node(profile, node, result, relations)
end

return { setup = setup, process_way = process_way, process_node = process_node, process_turn = car.process_turn }
