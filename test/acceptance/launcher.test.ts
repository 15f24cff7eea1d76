/** The built program, started as a file. */
import { assert, describe, it } from "@effect/vitest"
import { execFileSync } from "node:child_process"
import * as Fs from "node:fs"
import * as Os from "node:os"
import * as Path from "node:path"
import { program, removeFolder } from "./TongsCommand.test-support.ts"

describe("tongs, started as a file", () => {
  it("replaces the shell by the installed Node, also through a link and with another Node on the PATH", () => {
    const folder = Fs.mkdtempSync(Path.join(Os.tmpdir(), "tongs launcher-"))
    try {
      const link = Path.join(folder, "tongs")
      Fs.symlinkSync(program, link)
      Fs.writeFileSync(Path.join(folder, "node"), "#!/bin/sh\nexit 9\n", { mode: 0o755 })
      const env = { HOME: folder, PATH: `${folder}:/usr/bin:/bin` }
      for (const file of [program, link]) {
        assert.match(execFileSync(file, ["--version"], { encoding: "utf8", env }), /^tongs \d/)
      }
      // The shell's process id is the program's.
      const script = `echo "$$"; exec "$1" --version`
      const preload = `--import=data:text/javascript,${encodeURIComponent('process.on("exit", () => console.log(process.pid))')}`
      const printed = execFileSync("sh", ["-c", script, "sh", link], {
        encoding: "utf8",
        env: { ...env, NODE_OPTIONS: preload }
      })
      const [shell, , node] = printed.trim().split("\n")
      assert.strictEqual(node, shell)
    } finally {
      removeFolder(folder)
    }
  })
})
