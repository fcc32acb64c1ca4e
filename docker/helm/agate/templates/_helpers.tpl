{{- define "agate.name" -}}
{{- if contains .Chart.Name .Release.Name -}}
{{- .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name .Chart.Name | trunc 50 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- define "agate.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "agate.labels" -}}
{{ include "agate.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end -}}

{{/* The common part of API and worker pods: everything but role, ports and probes. */}}
{{- define "agate.podSettings" -}}
automountServiceAccountToken: false
terminationGracePeriodSeconds: {{ .Values.terminationGracePeriodSeconds }}
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  runAsGroup: 1000
  fsGroup: 1000
  seccompProfile:
    type: RuntimeDefault
volumes:
  - name: keys
    secret:
      secretName: {{ required "existingKeysSecret: name the Secret with jwt.pem" .Values.existingKeysSecret }}
      defaultMode: 0440
  - name: tmp
    emptyDir: {}
{{- with .Values.imagePullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- if .Values.existingOwnerSecret }}
initContainers:
  - name: migrate
    {{- include "agate.containerSettings" . | nindent 4 }}
    args: ["--migrate-only"]
    env:
      - name: DATABASE_OWNER_URL
        valueFrom:
          secretKeyRef:
            name: {{ .Values.existingOwnerSecret }}
            key: DATABASE_OWNER_URL
    resources:
      {{- toYaml .Values.worker.resources | nindent 6 }}
{{- end }}
{{- end -}}

{{/* The annotations by which Prometheus finds the metrics of a pod. */}}
{{- define "agate.scrapeAnnotations" -}}
{{- if .Values.metrics.port -}}
prometheus.io/scrape: "true"
prometheus.io/path: /metrics
prometheus.io/port: {{ .Values.metrics.port | int | quote }}
{{- end -}}
{{- end -}}

{{- define "agate.containerSettings" -}}
image: "{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}"
imagePullPolicy: {{ .Values.image.pullPolicy }}
command: ["node", "dist/src/main.js"]
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities:
    drop: ["ALL"]
envFrom:
  - configMapRef:
      name: {{ include "agate.name" . }}
  - secretRef:
      name: {{ required "existingSecret: name the Secret with DATABASE_URL and the keys" .Values.existingSecret }}
volumeMounts:
  - name: keys
    mountPath: /etc/agate/keys
    readOnly: true
  - name: tmp
    mountPath: /tmp
{{- end -}}
