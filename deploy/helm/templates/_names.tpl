{{- define "waybill.fullname" -}}
{{- if contains .Chart.Name .Release.Name -}}
{{- .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name .Chart.Name | trunc 40 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{/* The labels by which pods are found. They never change, as selectors can't. */}}
{{- define "waybill.selector" -}}
app.kubernetes.io/name: waybill
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- with .pool }}
waybill/pool: {{ . }}
{{- end }}
{{- end -}}

{{- define "waybill.labels" -}}
{{ include "waybill.selector" . }}
app.kubernetes.io/version: {{ .root.Values.image.tag | default .root.Chart.AppVersion | trunc 63 | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version }}
{{- end -}}

{{- define "waybill.serviceAccount" -}}
{{- if .Values.serviceAccount.create -}}
{{- .Values.serviceAccount.name | default (include "waybill.fullname" .) -}}
{{- else -}}
{{- .Values.serviceAccount.name | default "default" -}}
{{- end -}}
{{- end -}}

{{/* The image of .image, whose empty fields are those of the chart's image. */}}
{{- define "waybill.image" -}}
{{- if .image.digest -}}
{{- printf "%s@%s" .image.repository .image.digest -}}
{{- else -}}
{{- printf "%s:%s" .image.repository (.image.tag | default .root.Values.image.tag | default .root.Chart.AppVersion) -}}
{{- end -}}
{{- end -}}

{{/* Four fifths of a limit such as 1200Mi or 2Gi. The rest is for what Go does not count. */}}
{{- define "waybill.memoryLimit" -}}
{{- $mib := 0 -}}
{{- if hasSuffix "Gi" . -}}
{{- $mib = mul (trimSuffix "Gi" . | int) 1024 -}}
{{- else -}}
{{- $mib = trimSuffix "Mi" . | int -}}
{{- end -}}
{{- printf "%dMiB" (div (mul $mib 4) 5) -}}
{{- end -}}

{{- define "waybill.temporalPort" -}}
{{- .Values.temporal.address | splitList ":" | last -}}
{{- end -}}
