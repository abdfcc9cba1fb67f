USER_TOKEN=$(curl -fsS -o /dev/null -w '%{redirect_url}' "$origin/sami/authorize?client_id=cid&response_type=token&redirect_uri=ios-app://redirect" | grep -oP 'access_token=\K[^&]+')
APP_TOKEN=$(token /token -u cid:s3cr3t -d grant_type=client_credentials)
export USER_TOKEN APP_TOKEN
