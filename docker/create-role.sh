#!/bin/sh
# Creates the application's role. The PostgreSQL image runs this script when its volume is empty. With an existing volume, run once
#
#   docker compose -f docker/compose.yaml exec postgres sh /docker-entrypoint-initdb.d/create-role.sh
#
# It creates the role or changes its password. The service's migrations grant the privileges.
set -eu
psql --quiet --set=ON_ERROR_STOP=1 --set=password="$POSTGRES_APP_PASSWORD" --username="$POSTGRES_USER" --dbname="$POSTGRES_DB" <<'SQL'
SELECT 'CREATE ROLE agate_app' WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'agate_app') \gexec
ALTER ROLE agate_app LOGIN PASSWORD :'password';
SQL
