/** A program that runs while a build or an update replaces its files. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { cpSync, readdirSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { createInterface } from "node:readline"
import { assert, it } from "@effect/vitest"
import { onTestFinished } from "vitest"
import { createCommits } from "./ForgeProcess.test-support.ts"
import { compileCache, program, temporaryFolder, TIMEOUT } from "./TongsCommand.test-support.ts"

it(
  "searches on after a later build has replaced all files whose names stay the same",
  async () => {
    const root = temporaryFolder()
    const dist = join(root, "dist")
    cpSync(dirname(program), dist, { recursive: true })
    createCommits(root, 3)
    const child = spawn(
      process.execPath,
      [
        join(dist, "tongs.js"),
        "serve",
        "--json",
        "--port",
        "0",
        "--repos",
        join(root, "repos"),
        "--data",
        join(root, "data")
      ],
      {
        cwd: root,
        env: { PATH: process.env["PATH"], HOME: root, ...compileCache },
        stdio: ["ignore", "pipe", "inherit"]
      }
    )
    onTestFinished(async () => {
      const gone = once(child, "exit")
      child.kill("SIGKILL")
      await gone
    })
    const [started] = await once(createInterface(child.stdout), "line")
    const { token, url }: { readonly token: string; readonly url: string } = JSON.parse(String(started))
    for (const name of readdirSync(dist)) {
      if (name.endsWith(".js")) writeFileSync(join(dist, name), 'throw new Error("a file of a later build")\n')
    }

    const search = async (q: string) => {
      const response = await fetch(new URL(`tongs/search?${new URLSearchParams({ q })}`, url), {
        headers: { authorization: `Bearer ${token}`, "user-agent": "test" }
      })
      const events = (await response.text()).trim().split("\n")
      return JSON.parse(events.at(-1) ?? "")
    }
    // By a thread, by a process for expressions, and by git's log.
    for (const q of ["content:/\\w+/", "type:commit 1", "kind:class x"]) {
      const done = await search(q)
      assert.deepInclude(done, { _tag: "Done", incomplete: [] }, q)
    }
  },
  TIMEOUT
)
