verifier=0123456789012345678901234567890123456789abc
challenge=$(printf %s "$verifier" | openssl dgst -sha256 -binary | base64 | tr '+/' '-_' | tr -d '=')
code=$(curl -fsS -o /dev/null -w '%{redirect_url}' "$origin/ostelco/authorize?response_type=code&client_id=app-1&redirect_uri=app://callback&connection=google-oauth2&audience=http://google_api&scope=openid%20email%20profile%20offline_access&state=s&code_challenge=$challenge&code_challenge_method=S256" | grep -oP 'code=\K[^&]+')
USER_TOKEN=$(token /oauth/token --json "{\"grant_type\": \"authorization_code\", \"client_id\": \"app-1\", \"code\": \"$code\", \"code_verifier\": \"$verifier\", \"redirect_uri\": \"app://callback\"}")
ADMIN_TOKEN=admin-1
export USER_TOKEN ADMIN_TOKEN
