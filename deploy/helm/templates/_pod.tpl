{{/* The metadata and spec of a pod of .component. .part are its values, .args the command's; .environment and
.ports are YAML. .probes is the port of /healthz and /readyz. .hook leaves out what a hook can't have. */}}
{{- define "waybill.pod" -}}
{{- $values := .root.Values -}}
metadata:
  labels:
    {{- include "waybill.labels" . | nindent 4 }}
    {{- if .private }}
    waybill/private: "true"
    {{- end }}
    {{- with $values.podLabels }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
  {{- with $values.podAnnotations }}
  annotations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
spec:
  {{- if not .hook }}
  serviceAccountName: {{ include "waybill.serviceAccount" .root }}
  {{- end }}
  # Waybill never calls Kubernetes. Identities of clouds mount tokens of their own.
  automountServiceAccountToken: false
  enableServiceLinks: false
  {{- with $values.image.pullSecrets }}
  imagePullSecrets:
    {{- range . }}
    - name: {{ . }}
    {{- end }}
  {{- end }}
  securityContext:
    runAsNonRoot: true
    runAsUser: 10001
    runAsGroup: 10001
    fsGroup: 10001
    fsGroupChangePolicy: OnRootMismatch
    seccompProfile: {type: RuntimeDefault}
  {{- if .hook }}
  restartPolicy: Never
  {{- else }}
  # The process needs its time to finish, and the load balancer its time to notice.
  terminationGracePeriodSeconds: {{ add (mul 2 $values.shutdownSeconds) 10 }}
  topologySpreadConstraints:
    {{- $when := ternary "DoNotSchedule" "ScheduleAnyway" $values.spreadStrictly }}
    {{- range list "kubernetes.io/hostname" "topology.kubernetes.io/zone" }}
    - maxSkew: 1
      topologyKey: {{ . }}
      whenUnsatisfiable: {{ $when }}
      # Pods of each release spread by themselves.
      matchLabelKeys: [pod-template-hash]
      labelSelector:
        matchLabels:
          {{- include "waybill.selector" $ | nindent 10 }}
    {{- end }}
  {{- end }}
  {{- with .part.nodeSelector }}
  nodeSelector:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .part.tolerations }}
  tolerations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .part.priorityClassName }}
  priorityClassName: {{ . }}
  {{- end }}
  containers:
    - name: waybill
      image: {{ include "waybill.image" (dict "root" .root "image" (.image | default $values.image)) | quote }}
      imagePullPolicy: {{ $values.image.pullPolicy }}
      args: {{ toJson .args }}
      env:
        {{- include "waybill.environment" . | nindent 8 }}
        {{- .environment | nindent 8 }}
      {{- with .ports }}
      ports:
        {{- . | nindent 8 }}
      {{- end }}
      {{- with .probes }}
      # Only a process that does not answer at all is started again: one that is not ready recovers
      # when its dependencies do.
      startupProbe:
        httpGet: {path: /healthz, port: {{ . }}}
        periodSeconds: 2
        failureThreshold: 60
      livenessProbe:
        httpGet: {path: /healthz, port: {{ . }}}
        periodSeconds: 10
        timeoutSeconds: 5
        failureThreshold: 6
      readinessProbe:
        httpGet: {path: /readyz, port: {{ . }}}
        periodSeconds: 5
        timeoutSeconds: 5
        failureThreshold: 2
      {{- end }}
      {{- if .drains }}
      lifecycle:
        preStop: {sleep: {seconds: 5}}
      {{- end }}
      resources:
        {{- toYaml .part.resources | nindent 8 }}
      securityContext:
        allowPrivilegeEscalation: false
        readOnlyRootFilesystem: true
        capabilities: {drop: [ALL]}
      volumeMounts:
        - {name: tmp, mountPath: /tmp}
        {{- include "waybill.mounts" . | nindent 8 }}
  volumes:
    - {name: tmp, emptyDir: {sizeLimit: 256Mi}}
    {{- include "waybill.volumes" . | nindent 4 }}
{{- end -}}

{{- define "waybill.mounts" -}}
{{- if and .root.Values.temporal.tls.secret (not .controlled) (not .noTemporal) }}
- {name: temporal-client, mountPath: /etc/waybill/temporal, readOnly: true}
{{- end }}
{{- if and .root.Values.temporal.tls.caSecret (not .noTemporal) }}
- {name: temporal-ca, mountPath: /etc/waybill/temporal-ca, readOnly: true}
{{- end }}
{{- if and .regions .root.Values.regions.claim }}
- {name: regions, mountPath: /var/lib/waybill-regions, readOnly: {{ eq .regions "read" }}}
{{- end }}
{{- end -}}

{{- define "waybill.volumes" -}}
{{- if and .root.Values.temporal.tls.secret (not .controlled) (not .noTemporal) }}
- {name: temporal-client, secret: {secretName: {{ .root.Values.temporal.tls.secret }}}}
{{- end }}
{{- if and .root.Values.temporal.tls.caSecret (not .noTemporal) }}
- name: temporal-ca
  secret: {secretName: {{ .root.Values.temporal.tls.caSecret }}, items: [{key: ca.crt, path: ca.crt}]}
{{- end }}
{{- if and .regions .root.Values.regions.claim }}
- {name: regions, persistentVolumeClaim: {claimName: {{ .root.Values.regions.claim }}}}
{{- end }}
{{- end -}}
