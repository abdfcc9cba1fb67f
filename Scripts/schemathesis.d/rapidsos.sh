app=(-d client_id=cid -d client_secret=s3cr3t)
CLIENT_TOKEN=$(token /oauth/token "${app[@]}" -d grant_type=client_credentials)
USER_TOKEN=$(token /oauth/token "${app[@]}" -d grant_type=password -d username=dana.reyes -d password=correct-horse)
export CLIENT_TOKEN USER_TOKEN
