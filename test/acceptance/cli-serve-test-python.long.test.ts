/** The Python test of `docs/testing.md`, run as written: PyGithub against `tongs serve --test`. */
import { execFile } from "node:child_process"
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { delimiter, join } from "node:path"
import { promisify } from "node:util"
import { expect, it } from "vitest"
import { pythonWithClients } from "./PythonClients.test-support.ts"
import { compileCache, program, temporaryFolder } from "./TongsCommand.test-support.ts"

const python = pythonWithClients()

it.skipIf(python === undefined)("Python, PyPI: a test of docs/testing.md with PyGithub", async () => {
  const folder = temporaryFolder()
  const temporary = join(folder, "tmp")
  mkdirSync(temporary)
  const document = readFileSync(join(import.meta.dirname, "../../docs/testing.md"), "utf8")
  const [, script = ""] = /```python\n([^]*?)^```/m.exec(document) ?? []
  writeFileSync(join(folder, "test_bot.py"), script)
  writeFileSync(join(folder, "tongs"), `#!/bin/sh\nexec "${process.execPath}" "${program}" "$@"\n`)
  chmodSync(join(folder, "tongs"), 0o755)
  const env = {
    PATH: [folder, process.env["PATH"]].join(delimiter),
    HOME: folder,
    TMPDIR: temporary,
    ...compileCache
  }
  const { stderr } = await promisify(execFile)(python ?? "", ["-B", "-m", "unittest", "-v", "test_bot"], {
    cwd: folder,
    env
  })
  expect(stderr).toMatch(/Ran 2 tests[^]*\nOK\n/)
  expect(readdirSync(temporary)).toEqual([])
})
