/** A forge with workflow files. */
import * as Effect from "effect/Effect"
import * as Support from "../../main/Forge.test-support.ts"

const CI = `name: CI
on: [push, pull_request]
jobs:
  build:
    runs-on: ubuntu-latest
    steps:
      - run: make
`

const RELEASE = `name: Release
on:
  workflow_dispatch:
    inputs:
      level: { type: choice, options: [minor, major], required: true }
      dry: { type: boolean, default: false }
`

/** Repository `hello` of the forge's owner has three workflow files, of which the last one is not YAML. */
export const forge = Support.layer((repos) => {
  Support.repository(repos, "hello", {
    "a.txt": "one\n",
    ".github/workflows/ci.yml": CI,
    ".github/workflows/release.yaml": RELEASE,
    ".github/workflows/z-broken.yml": "on: [push\n\t- : :",
    ".github/workflows/notes.txt": "no workflow"
  })
})

/** Sends a request below the repository. A path with a leading slash is complete. */
export const send = Effect.fnUntraced(function* (
  method: string,
  path: string,
  body?: unknown,
  options: Omit<Support.Ask, "body"> = {}
) {
  const { ask, base } = yield* Support.TestForge
  const url = path.startsWith("/") ? path : `${base}/hello/${path}`
  return yield* ask(method, url, { ...options, ...(body === undefined ? {} : { body }) })
})

/** Sends a report about a run. */
export const report = Effect.fnUntraced(function* (body: object, options: Omit<Support.Ask, "body"> = {}) {
  const { base } = yield* Support.TestForge
  return yield* send("POST", `/tongs${base}/hello/runs`, body, options)
})

export const headSha = Effect.map(send("GET", "commits/main"), ({ json }): string => json.sha)
