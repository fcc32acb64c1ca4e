#!/bin/sh
# The role that the service runs as. The image of PostgreSQL runs this when its volume is empty; on a volume from before, say once
#
#   docker compose -f docker/compose.yaml exec postgres sh /docker-entrypoint-initdb.d/create-role.sh
#
# It makes the role or changes its password. Privileges are the service's own business: its migrations grant them.
set -eu
psql --quiet --set=ON_ERROR_STOP=1 --set=password="$POSTGRES_APP_PASSWORD" --username="$POSTGRES_USER" --dbname="$POSTGRES_DB" <<'SQL'
SELECT 'CREATE ROLE agate_app' WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'agate_app') \gexec
ALTER ROLE agate_app LOGIN PASSWORD :'password';
SQL
