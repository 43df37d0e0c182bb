"""Walks the authorization code flow with requests-oauthlib against a running instance.

Reads from standard input, one value a line: the instance's URL, client id, client secret, redirect URI. Prints the
authorization URL, reads the URL the browser was led to, then prints what the API answers to the token it got.
"""

import os
import sys

os.environ["OAUTHLIB_INSECURE_TRANSPORT"] = "1"

from requests_oauthlib import OAuth2Session

url, client_id, client_secret, redirect_uri = (sys.stdin.readline().strip() for _ in range(4))
session = OAuth2Session(client_id, redirect_uri=redirect_uri, scope=["read", "write"])
authorization_url, _ = session.authorization_url(f"{url}/oauth/authorize")
print(authorization_url, flush=True)

session.fetch_token(
    f"{url}/oauth/token",
    authorization_response=sys.stdin.readline().strip(),
    client_secret=client_secret,
    include_client_id=True,
)
print(session.get(f"{url}/v1/me").json()["username"], flush=True)
print(session.get(f"{url}/oauth/token/info").json()["scopes"], flush=True)
