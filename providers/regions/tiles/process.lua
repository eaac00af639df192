-- Selects and simplifies the objects of an OpenStreetMap extract for map tiles. The layers are
-- those of config.json, and the console draws them (web/console/src/lib/map/region.ts).

-- Each kind of road, with the zoom level at which it appears.
local roads = {
	motorway = {"highway", 5}, trunk = {"highway", 6}, motorway_link = {"highway", 9}, trunk_link = {"highway", 9},
	primary = {"major", 7}, secondary = {"major", 9}, primary_link = {"major", 11}, secondary_link = {"major", 11},
	tertiary = {"medium", 10}, tertiary_link = {"medium", 12},
	unclassified = {"minor", 11}, residential = {"minor", 12}, living_street = {"minor", 12}, road = {"minor", 12},
	pedestrian = {"path", 13}, service = {"service", 13}, track = {"path", 13}, busway = {"service", 13},
	footway = {"path", 14}, cycleway = {"path", 14}, path = {"path", 14}, steps = {"path", 14}, bridleway = {"path", 14},
}

local green = {
	landuse = {forest = "wood", grass = "park", meadow = "park", recreation_ground = "park", village_green = "park", cemetery = "park",
		allotments = "park"},
	natural = {wood = "wood", scrub = "wood", heath = "park", grassland = "park"},
	leisure = {park = "park", garden = "park", golf_course = "park", pitch = "park", nature_reserve = "wood"},
}
local built = {residential = true, commercial = true, retail = true, industrial = true}
local water = {landuse = {reservoir = true, basin = true}, natural = {water = true}, waterway = {riverbank = true, dock = true}}
local streams = {river = 9, canal = 10, stream = 13}
local places = {city = {0, 4}, town = {1, 8}, village = {2, 10}, suburb = {2, 11}, hamlet = {3, 12}, quarter = {3, 13}, neighbourhood = {3, 13},
	locality = {4, 14}}

node_keys = {"place"}

function init_function() end
function exit_function() end

function node_function(node)
	local place = places[node:Find("place")]
	local name = node:Find("name")
	if place == nil or name == "" then return end
	node:Layer("places", false)
	node:Attribute("name", name)
	node:AttributeNumeric("rank", place[1])
	node:MinZoom(place[2])
end

-- The value that a table has for one of the object's tags.
local function chosen(way, kinds)
	for key, values in pairs(kinds) do
		local found = values[way:Find(key)]
		if found then return found end
	end
	return nil
end

-- Small areas appear only when they are large enough to be seen.
local function area_zoom(way)
	local area = way:Area()
	if area > 10000000 then return 6 end
	if area > 1000000 then return 9 end
	if area > 100000 then return 11 end
	if area > 10000 then return 12 end
	return 14
end

local function add_road(way, highway)
	local road = roads[highway]
	if road == nil or way:Find("area") == "yes" then return end
	way:Layer("roads", false)
	way:Attribute("kind", road[1])
	way:MinZoom(road[2])
	if way:Find("tunnel") == "yes" then way:AttributeBoolean("tunnel", true) end
	local name = way:Find("name")
	if name ~= "" and road[1] ~= "service" then
		way:Layer("street_names", false)
		way:Attribute("name", name)
		way:Attribute("kind", road[1])
		if road[1] == "path" or road[1] == "minor" then way:MinZoom(14) end
	end
end

local function add_area(way)
	local kind = chosen(way, green)
	if chosen(way, water) then
		way:Layer("water", true)
		way:MinZoom(area_zoom(way))
	elseif way:Find("building") ~= "" and way:Find("building") ~= "no" then
		way:Layer("buildings", true)
	elseif kind then
		way:Layer("green", true)
		way:Attribute("kind", kind)
		way:MinZoom(math.max(9, area_zoom(way)))
	elseif built[way:Find("landuse")] then
		way:Layer("built", true)
		way:MinZoom(math.max(8, area_zoom(way)))
	end
end

local function add_line(way)
	local stream = streams[way:Find("waterway")]
	local rail = way:Find("railway")
	local level = tonumber(way:Find("admin_level"))
	if stream then
		way:Layer("streams", false)
		way:MinZoom(stream)
	end
	if rail == "rail" or rail == "light_rail" or rail == "tram" or rail == "subway" then
		way:Layer("rails", false)
		way:MinZoom(rail == "rail" and way:Find("service") == "" and 10 or 13)
		if way:Find("tunnel") == "yes" then way:AttributeBoolean("tunnel", true) end
	end
	if way:Find("natural") == "coastline" then way:Layer("coast", false) end
	if way:Find("boundary") == "administrative" and level and level <= 4 then
		way:Layer("borders", false)
		way:AttributeNumeric("level", level)
		way:MinZoom(level == 2 and 5 or 7)
	end
end

function way_function(way)
	local highway = way:Find("highway")
	if highway ~= "" then add_road(way, highway) end
	if way:IsClosed() and highway == "" then add_area(way) end
	add_line(way)
end
