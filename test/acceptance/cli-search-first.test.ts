/** `tongs search` and `tongs grep` on a repository that is not indexed, with a slow git. */
import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { expect, it } from "vitest"
import * as ForgeProcess from "./ForgeProcess.test-support.ts"
import { shell, temporaryFolder } from "./TongsCommand.test-support.ts"

/** More files than the index writes in one transaction. */
const COUNT = 3_000

const createRepository = (path: string) => {
  mkdirSync(path, { recursive: true })
  ForgeProcess.git(path, ["init", "--quiet", "--bare", "--initial-branch=main"])
  const files = Array.from({ length: COUNT }, (_, number) => {
    const text = `export const value${number} = "${"word ".repeat(50)}${number}"\n`
    return `M 100644 inline d${number % 50}/f${number}.ts\ndata ${Buffer.byteLength(text)}\n${text}`
  })
  const head = "commit refs/heads/main\ncommitter T <t@example.org> 0 +0000\ndata 1\nx\n"
  ForgeProcess.git(path, ["fast-import", "--quiet"], `${head}${files.join("\n")}\n\n`)
}

/** Creates a folder with a `git` that starts late. */
const slowGit = (folder: string): string => {
  mkdirSync(folder)
  const real = (process.env.PATH ?? "").split(":").find((one) => existsSync(join(one, "git")))
  writeFileSync(join(folder, "git"), `#!/bin/sh\nsleep 0.2\nexec ${real}/git "$@"\n`)
  chmodSync(join(folder, "git"), 0o755)
  return folder
}

/** Returns the number of contents in the index, and the indexed commit. */
const indexed = (data: string) => {
  const [shard] = readdirSync(data, { recursive: true, encoding: "utf8" }).filter((file) =>
    /^index-\d+\/shard-\d+\.sqlite$/.test(file)
  )
  if (shard === undefined) return { documents: 0, commit: null }
  const database = new DatabaseSync(join(data, shard), { readOnly: true })
  try {
    return {
      documents: Number(database.prepare("SELECT count(*) AS n FROM documents").get()?.n),
      commit: database.prepare("SELECT commit_id FROM repositories").get()?.commit_id ?? null
    }
  } finally {
    database.close()
  }
}

it("answers completely without an index, and completes the index over several searches", async () => {
  const root = temporaryFolder()
  const path = join(root, "many.git")
  createRepository(path)
  const { tongs } = shell(root)
  const env = { PATH: `${slowGit(join(root, "bin"))}:${process.env.PATH}` }
  const run = async (data: string, ...args: ReadonlyArray<string>) => {
    const { code, stderr, stdout } = await tongs([...args, "--repos", path, "--data", join(root, data)], { env })
    return { code, stderr, stdout: stdout.toString() }
  }

  expect(await run("one", "search", "nowhere")).toMatchObject({
    code: 0,
    stdout: "",
    stderr: expect.stringMatching(/^0 files, 0 matches\n/)
  })
  expect(await run("two", "search", "value2999", "in:file")).toMatchObject({ code: 0, stderr: "1 file, 1 match\n" })
  expect(await run("three", "grep", "-c", "value2999")).toMatchObject({ code: 0, stderr: "" })
  expect(await run("four", "grep", "nowhere")).toEqual({ code: 1, stdout: "", stderr: "" })

  for (let round = 0; round < 10 && indexed(join(root, "one")).commit === null; round++) {
    const { documents } = indexed(join(root, "one"))
    expect((await run("one", "search", "value1 path:d1")).code).toBe(0)
    expect(indexed(join(root, "one")).documents).toBeGreaterThanOrEqual(documents)
  }
  expect(indexed(join(root, "one"))).toEqual({ documents: COUNT, commit: expect.stringMatching(/^[0-9a-f]{40}$/) })
})
