"""Reads the schema of a running instance by introspection with graphql-core, and checks documents against it.

Reads from standard input, one value a line: the instance's URL, a token, and documents by name as JSON. Prints JSON: the errors of each
document, and what the first one answers.
"""

import json
import sys

import graphql
import requests

url, token, documents = (sys.stdin.readline().strip() for _ in range(3))
documents = json.loads(documents)


def ask(query):
    answer = requests.post(f"{url}/graphql", headers={"Authorization": f"Bearer {token}"}, json={"query": query})
    return answer.json()["data"]


# Version 2 has a text where version 3 has a function.
asked = graphql.introspection_query if hasattr(graphql, "introspection_query") else graphql.get_introspection_query()
schema = graphql.build_client_schema(ask(asked))
errors = {
    name: [str(error) for error in graphql.validate(schema, graphql.parse(text))]
    for name, text in documents.items()
}
print(json.dumps({"errors": errors, "answer": ask(next(iter(documents.values())))}))
