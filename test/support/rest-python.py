"""What python-annict sends with requests: the token as a parameter, forms in bodies, lists with commas, times as Python prints them.

Reads from standard input, one value a line: the instance's URL and a token. Prints what it made of the answers as JSON.
"""

import json
import sys
from datetime import datetime, timezone

import requests

url, token = (sys.stdin.readline().strip() for _ in range(2))
session = requests.Session()
session.params["access_token"] = token


def text(value):
    if isinstance(value, bool):
        return str(value).lower()
    return ",".join(map(str, value)) if isinstance(value, (list, tuple, set)) else str(value)


def ask(method, path, **params):
    given = {name: text(value) for name, value in params.items() if value is not None}
    place = {"params": given} if method == "get" else {"data": given}
    answer = session.request(method, f"{url}/v1/{path}", **place)
    if answer.status_code == 204:
        return True
    answer.raise_for_status()
    return answer.json()


def moment(iso):
    return datetime.fromisoformat(iso.replace("Z", "+00:00"))


works = ask("get", "works", filter_ids=[1, 2], fields=["id", "title", "released_on"], sort_id="asc")
episodes = ask("get", "episodes", filter_work_id=1, sort_sort_number="asc", per_page=50)["episodes"]
since = datetime(2026, 4, 1, 12, 0, 0)
programs = ask("get", "me/programs", filter_started_at_gt=since, filter_rebroadcast=True)["programs"]
zoned = ask("get", "me/programs", filter_started_at_gt=since.replace(tzinfo=timezone.utc, microsecond=1000))["programs"]
made = ask("post", "me/records", episode_id=episodes[0]["id"], comment="星 & 100%", rating=4.8, share_twitter=False)
edited = ask("patch", f"me/records/{made['id']}", comment="edited", share_twitter=False, share_facebook=False)
deleted = ask("delete", f"me/records/{made['id']}")
print(
    json.dumps(
        {
            "released": [work["released_on"] for work in works["works"]],
            "next": works["next_page"],
            "episodes": [[episode["id"], episode["work"]["title"]] for episode in episodes],
            "programs": [[one["id"], moment(one["started_at"]) >= since.replace(tzinfo=timezone.utc)] for one in programs],
            "zoned": [one["id"] for one in zoned],
            "made": [made["comment"], made["rating"], moment(made["created_at"]).year >= 2026],
            "edited": [edited["comment"], edited["is_modified"]],
            "set": ask("post", "me/statuses", work_id=2, kind="watching"),
            "deleted": deleted,
        }
    )
)
