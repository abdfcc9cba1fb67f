USER_TOKEN=$(token /oauth/token -u cid:s3cr3t -d grant_type=password -d username=ann@example.test -d password=hunter22)
export USER_TOKEN
