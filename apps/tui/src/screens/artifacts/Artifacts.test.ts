import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Artifact } from "@tongs/core/contract/groups/Artifacts"
import * as ModelDriver from "../../ModelDriver.test-support.ts"
import * as StyledLine from "../../text/StyledLine.ts"
import * as ArtifactDocument from "./ArtifactDocument.ts"

const artifact = Schema.decodeUnknownSync(Artifact)({
  id: 3,
  node_id: "",
  name: "../logs\u001b[31m",
  size_in_bytes: 4,
  url: "",
  archive_download_url: "http://forge.test/repos/octo/hello/actions/artifacts/3/zip",
  expired: false,
  created_at: "2026-01-01T00:00:00Z",
  expires_at: "2026-04-01T00:00:00Z",
  updated_at: "2026-01-01T00:00:00Z",
  digest: "sha256:03ac674216f3e15c761ee1a5e255f067953623c8b388b4459e13f978d7c846f4",
  workflow_run: { id: 42, head_branch: "main", head_sha: "a".repeat(40) }
})

const UNDER = "/repos/octo/hello/actions/artifacts"

const respond = (path: string) => {
  const responses: Readonly<Record<string, unknown>> = {
    [UNDER]: { total_count: 2, artifacts: [artifact, { ...artifact, id: 5, name: "old", expired: true }] },
    [`${UNDER}/3`]: artifact,
    [`${UNDER}/3/zip`]: 1234
  }
  const body = responses[path]
  return body === undefined ? undefined : { status: 200, body }
}

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "tongs-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true }))
)

const openForm = Effect.fnUntraced(function* (path: string) {
  const screen = yield* ModelDriver.start({ respond }, 120, 30)
  screen.press("4", "tab", "tab")
  yield* screen.until("old", "expired")
  screen.press("enter")
  yield* screen.until("❯ Download ›")
  screen.press("enter")
  yield* screen.until("File or folder to save to")
  screen.press("ctrl-u")
  screen.paste(path)
  screen.press("enter")
  return screen
})

describe("artifacts", () => {
  it("warns three days before an artifact expires", () => {
    const at = Date.parse(artifact.expires_at ?? "")
    const roleOf = (now: number, value: Artifact = artifact) => ArtifactDocument.expiry(value, now)[0]?.role
    const day = 24 * 60 * 60_000
    assert.strictEqual(roleOf(at - 4 * day), "plain")
    assert.strictEqual(roleOf(at - 2 * day), "warning")
    assert.strictEqual(StyledLine.text(ArtifactDocument.expiry({ ...artifact, expired: true }, at)), "expired")
  })

  it.live("saves the archive in the folder, and verifies its digest", () =>
    Effect.gen(function* () {
      const path = yield* folder
      const screen = yield* openForm(path)
      const lines = yield* screen.until("✓ 4 B")
      assert.isTrue(lines.some((line) => line.includes(`verified ${artifact.digest}`)))
      assert.strictEqual(readFileSync(join(path, "__logs__31m.zip"), "utf8"), "1234")
      assert.isFalse(lines.some((line) => line.includes("\u001b")))
    })
  )

  it.live("does not overwrite a file", () =>
    Effect.gen(function* () {
      const path = join(yield* folder, "mine.zip")
      writeFileSync(path, "mine")
      const screen = yield* openForm(path)
      yield* screen.until("A file of this name exists. It was not changed.")
      assert.strictEqual(readFileSync(path, "utf8"), "mine")
    })
  )
})
