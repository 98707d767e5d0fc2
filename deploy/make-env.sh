#!/bin/sh
# Writes deploy/.env with secrets of its own for deploy/compose.yaml; one that is there stays as it is.
#   sh deploy/make-env.sh && docker compose -f deploy/compose.yaml up --build --detach
set -eu
file="${1:-$(dirname "$0")/.env}"
if [ -e "$file" ]; then
  echo "$file is there already; it was not changed" >&2
  exit 0
fi
secret() { od -An -N24 -tx1 /dev/urandom | tr -d ' \n'; }
umask 077
cat > "$file" <<END
POSTGRES_PASSWORD=$(secret)
REDIS_PASSWORD=$(secret)
KEY_PEPPER=$(secret)
GRAFANA_PASSWORD=$(secret)
END
echo "wrote $file: keep a copy, KEY_PEPPER cannot be made again" >&2
