{{/* What JSON Schema cannot say, with a message that says what to do. */}}
{{- define "waybill.check" -}}
{{- $settings := .Files.Get "settings.yaml" | fromYaml -}}
{{- range $name, $value := .Values.config -}}
{{- include "waybill.checkVersion" (dict "name" $name "versions" $settings.versions) -}}
{{- if or (has $name $settings.secrets) (regexMatch "://[^/@]*:[^/@]+@" $value) -}}
{{- fail (printf "config.%s is a secret: put it into a Secret, and name that in secrets.more" $name) -}}
{{- else if has $name $settings.chart -}}
{{- fail (printf "config.%s is set by the chart, from another of its values" $name) -}}
{{- else if not (or (has $name $settings.config) (regexMatch "^(OTEL|AWS|GOOGLE|AZURE)_" $name)) -}}
{{- fail (printf "config.%s is not a setting of Waybill: `waybill config` lists them" $name) -}}
{{- end -}}
{{- end -}}
{{- range .Values.secrets.more -}}
{{- include "waybill.checkVersion" (dict "name" .env "versions" $settings.versions) -}}
{{- if has .env $settings.chart -}}
{{- fail (printf "secrets.more: %s is set by the chart, from another of its values" .env) -}}
{{- end -}}
{{- end -}}
{{- include "waybill.checkQueues" . -}}
{{- if and .Values.workerController.enabled (eq .Values.work.autoscaling.kind "keda") -}}
{{- fail "work.autoscaling.kind: the Worker Controller makes a Deployment for each version, which KEDA can't follow; use metric" -}}
{{- end -}}
{{- if and .Values.workerController.enabled .Values.temporal.apiKey.secret .Values.temporal.tls.secret -}}
{{- fail "temporal: the Worker Controller takes an API key or a client certificate, not both" -}}
{{- end -}}
{{- if and .Values.roads.enabled (not .Values.regions.claim) -}}
{{- fail "roads.enabled needs regions.claim: the volume that `waybill region add` builds regions in" -}}
{{- end -}}
{{- if and .Values.roads.enabled (not .Values.roads.image.repository) -}}
{{- fail "roads.enabled needs roads.image.repository: the image of the Dockerfile's target roads" -}}
{{- end -}}
{{- if and .Values.roads.enabled (hasKey .Values.config "WAYBILL_TRAVEL_URL") -}}
{{- fail "config.WAYBILL_TRAVEL_URL: with roads.enabled, the chart sets it" -}}
{{- end -}}
{{- end -}}

{{- define "waybill.checkVersion" -}}
{{- if has .name .versions -}}
{{- fail (printf "%s gives workers a version, and a rolling Deployment ends workers of the current version before the next one is current: leave it out, or set workerController.enabled, which sets it" .name) -}}
{{- end -}}
{{- end -}}

{{/* A queue without workers stands still, and nobody notices at first. */}}
{{- define "waybill.checkQueues" -}}
{{- $named := list -}}
{{- range $name, $pool := .Values.work.pools -}}
{{- if $pool -}}
{{- $named = concat $named $pool.queues -}}
{{- end -}}
{{- end -}}
{{- range list "imports" "recurring-orders" "notifications" "exports" "planning" "driving" "sandbox" "webhooks" "places" "housekeeping" -}}
{{- if not (has . $named) -}}
{{- fail (printf "work.pools: no pool has the queue %s" .) -}}
{{- end -}}
{{- end -}}
{{- if and .Values.workerController.enabled (ne (len $named) (len (uniq $named))) -}}
{{- fail "work.pools: with the Worker Controller, a queue belongs to one pool, which has the version" -}}
{{- end -}}
{{- end -}}
