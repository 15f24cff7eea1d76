import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stub from "./FakeForge.test-support.ts"
import { json, reply, start } from "./TestServer.test-support.ts"

const TIME = "2026-01-02T03:04:05Z"
const PATH = "/repos/octo/hello/releases"
const NAME = "owner=octo&repo=hello"

const asset = {
  url: "",
  id: 1,
  node_id: "",
  name: "x\u202e'.html",
  label: null,
  uploader: Stub.owner,
  content_type: "text/html",
  state: "uploaded",
  size: 6,
  digest: "sha256:00",
  download_count: 2,
  created_at: TIME,
  updated_at: TIME,
  browser_download_url: ""
}

const release = (more: object = {}) => ({
  url: "",
  assets_url: "",
  upload_url: "",
  html_url: "https://forge.example/octo/hello/releases/tag/v1",
  id: 7,
  author: Stub.owner,
  node_id: "",
  tag_name: "v1",
  target_commitish: "main",
  name: null,
  draft: false,
  prerelease: false,
  created_at: TIME,
  published_at: TIME,
  assets: [asset],
  tarball_url: null,
  zipball_url: null,
  body: "*notes*",
  body_html: "<em>notes</em>",
  ...more
})

describe("Releases", () => {
  it.effect("marks the latest release, and lists drafts without one", () =>
    Effect.gen(function* () {
      const url = yield* start
      const [status, body] = yield* json(`${url}api/releases?${NAME}&page=1`)
      assert.strictEqual(status, 200, JSON.stringify(body))
      const { next, releases } = Object(body)
      assert.isNull(next)
      assert.deepStrictEqual(
        releases.map((one: Record<string, unknown>) => [one["tag"], one["isLatest"], one["isDraft"], one["html"]]),
        [
          ["v2", false, true, "<em>notes</em>"],
          ["v1", true, false, "<em>notes</em>"]
        ]
      )
    }).pipe(
      Effect.scoped,
      Effect.provide(
        Stub.layer({
          [PATH]: reply([release({ id: 8, tag_name: "v2", draft: true, published_at: null }), release()]),
          [`${PATH}/latest`]: reply(release())
        })
      )
    )
  )

  it.effect("finds a release by a tag with slashes, and the latest without a tag", () =>
    Effect.gen(function* () {
      const url = yield* start
      const [, byTag] = yield* json(`${url}api/release?${NAME}&tag=v1/a`)
      assert.deepInclude(byTag, { tag: "v1/a", isLatest: false, author: "octo" })
      const [, latest] = yield* json(`${url}api/release?${NAME}`)
      assert.deepInclude(latest, { tag: "v1", isLatest: true })
      const [status] = yield* json(`${url}api/release?${NAME}&tag=none`)
      assert.strictEqual(status, 404)
    }).pipe(
      Effect.scoped,
      Effect.provide(
        Stub.layer({
          [`${PATH}/tags/v1/a`]: reply(release({ id: 9, tag_name: "v1/a" })),
          [`${PATH}/latest`]: reply(release())
        })
      )
    )
  )
})
