{{- define "waybill.cpuMetric" -}}
- type: Resource
  resource: {name: cpu, target: {type: Utilization, averageUtilization: {{ . }}}}
{{- end -}}

{{/* The limits and metrics of a HorizontalPodAutoscaler for a pool. */}}
{{- define "waybill.workMetrics" -}}
{{- $metric := .root.Values.work.autoscaling.metric -}}
{{- $part := .part -}}
minReplicas: {{ $part.autoscaling.min }}
maxReplicas: {{ $part.autoscaling.max }}
metrics:
  {{- range $part.queues }}
  - type: External
    external:
      metric:
        name: {{ $metric.name }}
        selector: {matchLabels: {{ dict $metric.queueLabel . | toJson }}}
      target: {type: AverageValue, averageValue: {{ $part.autoscaling.backlog | quote }}}
  {{- end }}
  {{- with $part.autoscaling.cpu }}
  {{- include "waybill.cpuMetric" . | nindent 2 }}
  {{- end }}
{{- end -}}

{{/* KEDA asks Temporal itself, with the credentials that Waybill has. */}}
{{- define "waybill.scaledObject" -}}
{{- $root := .root -}}
{{- $temporal := .root.Values.temporal -}}
{{- $part := .part -}}
{{- $credentials := or $temporal.apiKey.secret $temporal.tls.secret $temporal.tls.caSecret -}}
---
apiVersion: keda.sh/v1alpha1
kind: ScaledObject
metadata:
  name: {{ .name }}
  labels:
    {{- include "waybill.labels" .scope | nindent 4 }}
spec:
  scaleTargetRef: {name: {{ .name }}}
  pollingInterval: 15
  minReplicaCount: {{ $part.autoscaling.min }}
  maxReplicaCount: {{ $part.autoscaling.max }}
  # While Temporal does not answer, the pods that were there stay.
  fallback: {failureThreshold: 4, replicas: {{ $part.autoscaling.min }}, behavior: currentReplicasIfHigher}
  triggers:
    {{- range $part.queues }}
    - type: temporal
      metadata:
        endpoint: {{ $temporal.address | quote }}
        namespace: {{ $temporal.namespace | quote }}
        taskQueue: {{ . }}
        queueTypes: workflow,activity
        targetQueueSize: {{ $part.autoscaling.backlog | quote }}
        enableTLS: {{ or $temporal.tls.enabled $temporal.tls.secret $temporal.apiKey.secret | empty | ternary "false" "true" | quote }}
        {{- with $temporal.tls.serverName }}
        tlsServerName: {{ . | quote }}
        {{- end }}
      {{- if $credentials }}
      authenticationRef: {name: {{ include "waybill.fullname" $root }}-temporal}
      {{- end }}
    {{- end }}
    {{- with $part.autoscaling.cpu }}
    - type: cpu
      metricType: Utilization
      metadata: {value: {{ . | quote }}}
    {{- end }}
{{- end -}}
