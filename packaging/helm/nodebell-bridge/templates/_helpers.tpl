{{- define "nodebell-bridge.name" -}}
{{ default .Chart.Name .Values.nameOverride | trunc 63 | trimSuffix "-" }}
{{- end }}

{{/* At most 52 characters: the StatefulSet's controller adds 11 in a label. */}}
{{- define "nodebell-bridge.fullname" -}}
{{- $name := default .Chart.Name .Values.nameOverride -}}
{{- $full := contains $name .Release.Name | ternary .Release.Name (printf "%s-%s" .Release.Name $name) -}}
{{ default $full .Values.fullnameOverride | trunc 52 | trimSuffix "-" }}
{{- end }}

{{- define "nodebell-bridge.selectorLabels" -}}
app.kubernetes.io/name: {{ include "nodebell-bridge.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "nodebell-bridge.labels" -}}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{ include "nodebell-bridge.selectorLabels" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}

{{- define "nodebell-bridge.url" -}}
http://{{ include "nodebell-bridge.fullname" . }}.{{ .Release.Namespace }}.svc:{{ .Values.service.port }}
{{- end }}

{{/* The Secret that has the admin token; empty: the bridge generates one. */}}
{{- define "nodebell-bridge.tokenSecret" -}}
{{ empty .Values.secrets.NODEBELL_ADMIN_TOKEN | ternary .Values.existingSecret (include "nodebell-bridge.fullname" .) }}
{{- end }}

{{/* What values.schema.json cannot express with a clear message. */}}
{{- define "nodebell-bridge.validate" -}}
{{- $values := .Values -}}
{{- $replicas := int $values.replicas -}}
{{- $token := include "nodebell-bridge.tokenSecret" . -}}
{{- if and (gt $replicas 1) (not $values.database.existingSecret) }}
{{- fail (printf "replicas: found %d, allowed with SQLite is 1; set database.existingSecret to use PostgreSQL" $replicas) }}
{{- end }}
{{- if and (gt $replicas 1) $values.persistence.existingClaim }}
{{- fail (printf "persistence.existingClaim: found with %d replicas, allowed with 1: each replica needs a volume of its own" $replicas) }}
{{- end }}
{{- if and $values.database.existingSecret (not $token) (ne $values.settings.NODEBELL_AUTH "none") }}
{{- fail "database.existingSecret: PostgreSQL needs NODEBELL_ADMIN_TOKEN; set existingSecret to a Secret that has it" }}
{{- end }}
{{- if and $values.serviceMonitor.enabled (not $token) (ne (toString $values.settings.NODEBELL_METRICS_OPEN) "true") (ne $values.settings.NODEBELL_AUTH "none") }}
{{- fail "serviceMonitor.enabled: Prometheus needs NODEBELL_ADMIN_TOKEN; set existingSecret to a Secret that has it, or settings.NODEBELL_METRICS_OPEN to true" }}
{{- end }}
{{- if and $values.ingress.enabled (not $values.ingress.hosts) }}
{{- fail "ingress.hosts: found none, needed with ingress.enabled; add the host name of the bridge, such as nodebell.example" }}
{{- end }}
{{- if and $values.provisioning.existingConfigMap $values.provisioning.files }}
{{- fail "provisioning: set existingConfigMap or files, not both" }}
{{- end }}
{{- end }}
