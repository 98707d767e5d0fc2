{{- define "proofline.addresses" -}}
{{- with .Values.postgres }}
{{- if .host }}
- name: POSTGRES_PASSWORD
  valueFrom:
    secretKeyRef:
      name: {{ required "postgres.passwordSecret: the Secret with the password of Postgres" .passwordSecret }}
      key: {{ .passwordKey }}
- name: DATABASE_URL
  value: "postgresql://{{ .user }}:$(POSTGRES_PASSWORD)@{{ .host }}:{{ .port }}/{{ .database }}"
{{- end }}
{{- end }}
{{- with .Values.redis }}
{{- if .host }}
{{- if .passwordSecret }}
- name: REDIS_PASSWORD
  valueFrom:
    secretKeyRef:
      name: {{ .passwordSecret }}
      key: {{ .passwordKey }}
{{- end }}
- name: REDIS_URL
  value: "{{ if .tls }}rediss{{ else }}redis{{ end }}://{{ if .passwordSecret }}:$(REDIS_PASSWORD)@{{ end }}{{ .host }}:{{ .port }}"
{{- end }}
{{- end }}
{{- end }}
