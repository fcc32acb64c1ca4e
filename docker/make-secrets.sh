#!/bin/sh
# Writes docker/.env and docker/secrets/ for compose.yaml, with fresh secrets. Needs openssl; never overwrites.
#
#   docker/make-secrets.sh agate.example.com store.example.com ops@example.com
set -eu
if [ $# -ne 3 ]; then
  echo "usage: $0 <host of the service> <host of the store> <mail address for the certificate authority>" >&2
  exit 2
fi
cd "$(dirname "$0")"
if [ -e .env ] || [ -e secrets ]; then
  echo "docker/.env or docker/secrets is there already; the secrets in it are kept." >&2
  exit 1
fi

random_key() { openssl rand -base64 32; }
access_key="agate$(openssl rand -hex 8)"
secret_key="$(openssl rand -hex 32)"

umask 077
mkdir secrets
openssl genrsa -out secrets/jwt.pem 3072 2>/dev/null
cat > secrets/store.json <<JSON
{
  "identities": [
    {
      "name": "agate",
      "credentials": [{ "accessKey": "$access_key", "secretKey": "$secret_key" }],
      "actions": ["Admin", "Read", "Write", "List", "Tagging"]
    }
  ]
}
JSON
# Containers read the files under other user ids, so the files are readable and the folder is private.
chmod 444 secrets/jwt.pem secrets/store.json

sed -e "s|^AGATE_HOST=.*|AGATE_HOST=$1|" \
  -e "s|^STORE_HOST=.*|STORE_HOST=$2|" \
  -e "s|^ACME_EMAIL=.*|ACME_EMAIL=$3|" \
  -e "s|^MAIL_FROM=.*|MAIL_FROM=Agate <agate@$1>|" \
  -e "s|^POSTGRES_PASSWORD=.*|POSTGRES_PASSWORD=$(openssl rand -hex 24)|" \
  -e "s|^POSTGRES_APP_PASSWORD=.*|POSTGRES_APP_PASSWORD=$(openssl rand -hex 24)|" \
  -e "s|^REDIS_PASSWORD=.*|REDIS_PASSWORD=$(openssl rand -hex 24)|" \
  -e "s|^S3_ACCESS_KEY_ID=.*|S3_ACCESS_KEY_ID=$access_key|" \
  -e "s|^S3_SECRET_ACCESS_KEY=.*|S3_SECRET_ACCESS_KEY=$secret_key|" \
  -e "s|^MASTER_KEYS=.*|MASTER_KEYS=k1:$(random_key)|" \
  -e "s|^PASSWORD_PEPPER=.*|PASSWORD_PEPPER=$(random_key)|" \
  .env.example > .env
echo "Wrote docker/.env and docker/secrets/. Now name your mail server in docker/.env: MAIL_URL. SIGN_UP there says who may sign up."
