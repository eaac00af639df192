{{- define "waybill.secretVariable" -}}
- name: {{ .name }}
  valueFrom: {secretKeyRef: {name: {{ .from.secret | quote }}, key: {{ .from.key | quote }}}}
{{- end -}}

{{/* Settings of all commands. Values are written out, and not in a ConfigMap: the hook that migrates runs
before one would be there, and each change rolls the pods. */}}
{{- define "waybill.environment" -}}
{{- $values := .root.Values -}}
- {name: GOMEMLIMIT, value: {{ include "waybill.memoryLimit" .part.resources.limits.memory | quote }}}
- {name: WAYBILL_SHUTDOWN_TIMEOUT, value: {{ printf "%ds" (int $values.shutdownSeconds) | quote }}}
- {name: WAYBILL_PUBLIC_URL, value: {{ $values.publicUrl | quote }}}
- {name: WAYBILL_BLOB_URL, value: {{ $values.blobUrl | quote }}}
{{- with .part.connections }}
- {name: WAYBILL_DATABASE_CONNS, value: {{ . | quote }}}
{{- end }}
{{- with $values.temporal.ui }}
- {name: WAYBILL_TEMPORAL_UI, value: {{ . | quote }}}
{{- end }}
{{- if $values.roads.enabled }}
- name: WAYBILL_TRAVEL_URL
  value: {{ printf "osrm+http://%s-roads:5005?table=6000&classes=yes" (include "waybill.fullname" .root) | quote }}
{{- end }}
{{- range $name, $value := $values.config }}
- {name: {{ $name }}, value: {{ $value | quote }}}
{{- end }}
{{ include "waybill.secretVariable" (dict "name" "DATABASE_URL" "from" $values.secrets.database) }}
{{- end -}}

{{/* Settings that serve and work have, and migrate has not. */}}
{{- define "waybill.serviceEnvironment" -}}
{{ include "waybill.secretVariable" (dict "name" "WAYBILL_SEALING_SECRET" "from" .root.Values.secrets.sealing) }}
{{- range .root.Values.secrets.more }}
{{ include "waybill.secretVariable" (dict "name" .env "from" .) }}
{{- end }}
{{- end -}}

{{/* How to reach Temporal. The Worker Controller sets it for the pods that it makes (.controlled), all but the CA. */}}
{{- define "waybill.temporalEnvironment" -}}
{{- $temporal := .root.Values.temporal -}}
{{- if not .controlled }}
- {name: TEMPORAL_ADDRESS, value: {{ $temporal.address | quote }}}
- {name: TEMPORAL_NAMESPACE, value: {{ $temporal.namespace | quote }}}
{{- if $temporal.apiKey.secret }}
{{ include "waybill.secretVariable" (dict "name" "TEMPORAL_API_KEY" "from" $temporal.apiKey) }}
{{- end }}
{{- if $temporal.tls.enabled }}
- {name: TEMPORAL_TLS, value: "true"}
{{- end }}
{{- with $temporal.tls.serverName }}
- {name: TEMPORAL_TLS_SERVER_NAME, value: {{ . | quote }}}
{{- end }}
{{- if $temporal.tls.secret }}
- {name: TEMPORAL_TLS_CLIENT_CERT_PATH, value: /etc/waybill/temporal/tls.crt}
- {name: TEMPORAL_TLS_CLIENT_KEY_PATH, value: /etc/waybill/temporal/tls.key}
{{- end }}
{{- else if and $temporal.tls.enabled (not $temporal.tls.secret) (not $temporal.apiKey.secret) }}
- {name: TEMPORAL_TLS, value: "true"}
{{- end }}
{{- if $temporal.tls.caSecret }}
- {name: TEMPORAL_TLS_SERVER_CA_CERT_PATH, value: /etc/waybill/temporal-ca/ca.crt}
{{- end }}
{{- end -}}
