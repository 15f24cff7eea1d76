import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { ReleaseAsset } from "@tongs/core/contract/groups/ReleaseAssets"
import { Release } from "@tongs/core/contract/groups/Releases"
import * as Samples from "@tongs/core/contract/Samples.test-support"
import * as ModelDriver from "../../ModelDriver.test-support.ts"

const UNDER = "/repos/octo/hello/releases"

const asset = {
  ...Object(Samples.of(ReleaseAsset, "text")),
  id: 1,
  name: "灯.zip\u001b[2J",
  size: 2_000,
  digest: "sha256:00"
}

const release = (id: number, more: object = {}) => ({
  ...Object(Samples.of(Release, "text")),
  id,
  tag_name: `v${id}`,
  name: `Title ${id}`,
  draft: false,
  prerelease: false,
  assets: [asset],
  body: "## Changes\n\n* brighter",
  ...more
})

const responses: Readonly<Record<string, unknown>> = {
  [UNDER]: [release(4, { draft: true, published_at: null }), release(3, { prerelease: true }), release(2)],
  [`${UNDER}/latest`]: release(2),
  [`${UNDER}/2`]: release(2)
}

it.live("lists releases with their marks, and shows one with its assets and notes", () =>
  Effect.gen(function* () {
    const respond = (path: string) =>
      responses[path] === undefined ? undefined : { status: 200, body: responses[path] }
    const screen = yield* ModelDriver.start({ respond }, 100, 30)
    screen.press("1", "tab", "tab", "tab", "tab", "tab")
    const list = yield* screen.until("Title 4", "latest")
    assert.match(list.find((line) => line.includes("v4")) ?? "", /Title 4 .*draft/)
    assert.match(list.find((line) => line.includes("v3")) ?? "", /Title 3 .*pre-release/)
    assert.match(list.find((line) => line.includes("v2")) ?? "", /Title 2 .*latest/)
    screen.press("j", "j", "enter")
    const lines = yield* screen.until("● 灯.zip", "sha256:00", "brighter")
    assert.isTrue(lines.some((line) => line.includes("2 kB")))
    assert.isFalse(lines.some((line) => line.includes("\u001b")))
  })
)
