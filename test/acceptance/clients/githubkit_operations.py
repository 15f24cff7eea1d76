"""githubkit calls every operation that it has a method for, and validates every answer with its models.

Reads from stdin: url, and for each operation its name, method, path and the input of a call. Prints the version, the
absent operations, and the problems of each call that failed.
"""

import inspect
import json
import re
import sys
from functools import cached_property
from importlib.metadata import version

from githubkit import GitHub
from githubkit.exception import RequestFailed
from githubkit.retry import RETRY_RATE_LIMIT
from pydantic import TypeAdapter

given = json.load(sys.stdin)
clients = {}
# The first bytes of downloads.
archives = {
    "artifacts.download": b"PK",
    "repositories.downloadTarball": b"\x1f\x8b",
    "repositories.downloadZipball": b"PK",
}


def rest(token):
    if token not in clients:
        # Waits if the calls exceed the writes of an account in a minute.
        clients[token] = GitHub(token, base_url=f"{given['url']}/api/v3/", auto_retry=RETRY_RATE_LIMIT, http_cache=False)
    return clients[token].rest("2026-03-10")


def template(path):
    """The path with unnamed parameters, because their names differ between descriptions."""
    return re.sub(r"\{[^}]*\}", "{}", path)


def methods_of(rest):
    """All methods of githubkit, by HTTP method and path, from their documentation."""
    methods = {}
    for area in dir(type(rest)):
        if not isinstance(inspect.getattr_static(type(rest), area), cached_property):
            continue
        for name, function in inspect.getmembers(type(getattr(rest, area)), inspect.isfunction):
            lines = [line.strip() for line in (function.__doc__ or "").splitlines()]
            call = next((line for line in lines if re.match(r"(GET|POST|PUT|PATCH|DELETE) /", line)), None)
            if call is not None and not name.startswith("async_"):
                verb, path = call.split(" ")
                methods[f"{verb} {template(path)}"] = (area, name, re.findall(r"\{([^}]*)\}", path))
    return methods


def differences(raw, kept, at=""):
    """Values of the answer that the models changed. Ignores members that the description lacks."""
    if isinstance(raw, dict) and isinstance(kept, dict):
        for key in raw.keys() & kept.keys():
            yield from differences(raw[key], kept[key], f"{at}/{key}")
    elif isinstance(raw, list) and isinstance(kept, list) and len(raw) == len(kept):
        for one, other in zip(raw, kept):
            yield from differences(one, other, f"{at}/*")
    elif raw != kept:
        yield f"{at} is {raw!r}, the model has {kept!r}"


def dumped(value):
    return TypeAdapter(type(value)).dump_python(value, mode="json", by_alias=True, exclude_unset=True)


def listed(values):
    return [dumped(value) for value in values] if isinstance(values, list) else dumped(values)


def call(operation, method):
    area, name, parameters = method
    function = getattr(getattr(rest(operation["token"]), area), name)
    values = dict(zip(parameters, operation["values"])) | operation["query"]
    # A parameter with the name of a Python function, such as `dir`, ends with an underscore.
    known = inspect.signature(function).parameters
    arguments = {name if name in known else f"{name}_": value for name, value in values.items()}
    if operation["body"] is not None:
        arguments["data"] = operation["body"]
    response = function(**arguments)
    # The client follows the redirects of downloads.
    if response.status_code != operation["status"] and operation["status"] != 302:
        yield f"status {response.status_code}, not {operation['status']}"
    if response.headers.get("content-type", "").startswith("application/json"):
        yield from differences(response.json(), listed(response.parsed_data))
    elif not response.content.startswith(archives.get(operation["name"], b"")):
        yield "the archive is of another format"


methods = methods_of(rest("olive"))
absent, problems = [], {}
for operation in given["operations"]:
    method = methods.get(f"{operation['method']} {template(operation['path'])}")
    if method is None:
        absent.append(operation["name"])
        continue
    try:
        found = sorted(set(call(operation, method)))
    except RequestFailed as error:
        found = [f"{error.response.status_code} {error.response.text[:300]}"]
    except Exception as error:  # a schema error of any operation is a result
        found = [f"{type(error).__name__}: {str(error)[:1000]}"]
    if found:
        problems[operation["name"]] = found

olive = rest("olive")
hello = {"owner": "harbor", "repo": "hello"}
github = clients["olive"]
# The calls above merged a pull request into the default branch.
pages = list(github.rest.paginate(olive.repos.list_commits, **hello, sha=given["names"]["{commit}"], per_page=1))
assert [commit.sha for commit in pages] == [given["names"]["{commit}"], given["names"]["{parent}"]], pages
assert olive.users.get_by_username("piers").parsed_data.name == "Piers Quay"
assert olive.repos.get(**hello).parsed_data.topics == ["ships", "greetings"]
assert olive.git.get_tag(**hello, tag_sha=given["names"]["{tag}"]).parsed_data.object_.sha == given["names"]["{commit}"]
assert olive.rate_limit.get().parsed_data.resources.core.limit == 5000
try:
    olive.repos.get("harbor", "none")
    raise AssertionError("no error for an unknown repository")
except RequestFailed as error:
    assert error.response.status_code == 404
    assert error.response.parsed_data.message == "Not Found"

print(json.dumps({"version": version("githubkit"), "absent": absent, "problems": problems}))
