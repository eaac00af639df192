#!/bin/sh
# Prints demo/orders.json for the coming days: orders of its first day, a
# Monday, get today's date in the organization's time zone, whatever the
# weekday, and the rest the weekdays that follow. DEMO_TODAY overrides today.
cd "$(dirname "$0")" || exit
TZ=${DEMO_ZONE:-Europe/Oslo} exec jq --arg today "${DEMO_TODAY:-}" '
  def days: strptime("%Y-%m-%d") | mktime / 86400;
  def date: . * 86400 | strftime("%Y-%m-%d");
  def weekend: . * 86400 | gmtime | .[6] == 0 or .[6] == 6;
  def next: . + 1 | until(weekend | not; . + 1);
  (.orders | map(.date) | min | days) as $first |
  (if $today == "" then now | strflocaltime("%Y-%m-%d") else $today end | days) as $now |
  [limit(5; $now | recurse(next))] as $to |
  def moved: $to[days - $first] | date;
  .orders |= map(.date |= moved |
    (.pickup, .delivery) |= with_entries(if .key == "earliest" or .key == "latest" then .value |= (.[:10] | moved) + .[10:] else . end))
' orders.json
