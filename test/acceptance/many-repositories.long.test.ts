/** A forge over a folder with more repositories than one can index at once. */
import { cpSync, mkdirSync, renameSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import { vi } from "vitest"
import { isLong } from "../LongTests.test-support.ts"
import { commit, git, serve } from "./ForgeProcess.test-support.ts"
import { temporaryFolder } from "./TongsCommand.test-support.ts"

const count = isLong ? 600 : 60

it("searches every repository of a folder, and names those that it does not search", async () => {
  const root = temporaryFolder()
  const repos = join(root, "repos")
  mkdirSync(repos)
  git(repos, ["init", "--quiet", "--initial-branch=main", "r0"])
  commit(join(repos, "r0"), { "a.txt": "common word\n" }, "first")
  for (let at = 1; at < count; at++) cpSync(join(repos, "r0"), join(repos, `r${at}`), { recursive: true })
  const last = join(repos, `r${count - 1}`)
  commit(last, { "rare.txt": "xylophone\n" }, "rare")
  cpSync(join(repos, "r0"), join(repos, "broken"), { recursive: true })
  writeFileSync(join(repos, "broken/.git/config"), "[core]\n\trepositoryformatversion = 7\n")

  const forge = await serve(root)
  const search = async (q: string) => {
    const response = await fetch(`${forge.url}/tongs/search?${new URLSearchParams({ q })}`, {
      headers: { authorization: `Bearer ${forge.token}`, "user-agent": "test" }
    })
    const events = (await response.text()).trim().split("\n")
    return JSON.parse(events.at(-1) ?? "")
  }
  const unserved = `Not served, so not searched: ${join(repos, "broken")}.`
  await vi.waitFor(
    async () => {
      const done = await search("xylophone")
      if (done.files === 0) {
        // No answer claims to be complete before the file was found.
        assert.deepStrictEqual(done.incomplete, ["deadline"])
        assert.match(done.notes.join(" "), /Not searched before the deadline: .*r\d+/)
      }
      assert.strictEqual(done.files, 1)
      assert.include(done.notes, unserved)
    },
    { timeout: 240_000, interval: 500 }
  )
  assert.notInclude((await search(`xylophone repo:r${count - 1}`)).notes, unserved)

  // A served repository that disappears is reported, too.
  renameSync(last, join(root, "elsewhere"))
  await vi.waitFor(async () => assert.notDeepEqual((await search("xylophone")).incomplete, []), { timeout: 30_000 })
}, 300_000)
