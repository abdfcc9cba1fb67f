USER_TOKEN=$(curl -fsS "$origin/oya/appleId/authorize" --json '{"authCode": "apple-1"}' | python3 -c 'import json, sys; print(json.load(sys.stdin)["token"])')
curl -fsS -o /dev/null -X POST "$origin/oya/customer?nickname=Mei&contactEmail=mei%40example.test" -H "Authorization: Bearer $USER_TOKEN"
export USER_TOKEN
