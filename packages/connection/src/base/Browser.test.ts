import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, it, onTestFinished } from "vitest"
import * as Browser from "./Browser.ts"

const url = new URL("https://forge.test/a?b='$(touch x)'&c=d")

/** Creates a browser program that writes the arguments to a file and exits with a code. */
const browser = (code: number) => {
  const folder = mkdtempSync(join(tmpdir(), "tongs-browser-"))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const program = join(folder, "browser")
  writeFileSync(program, `#!/bin/sh\necho "$@" > ${folder}/args\nexit ${code}\n`, { mode: 0o755 })
  return { program, args: () => readFileSync(join(folder, "args"), "utf8").trim() }
}

it.skipIf(process.platform === "win32")("opens a page in $BROWSER without a shell", async () => {
  const { args, program } = browser(0)
  expect(await Browser.tryOpen(url, { BROWSER: program })).toBe(true)
  expect(args()).toBe(url.href)
  expect(await Browser.tryOpen(url, { BROWSER: `${program} --new %s --last` })).toBe(true)
  expect(args()).toBe(`--new ${url.href} --last`)
})

it.skipIf(process.platform === "win32")("reports that no browser can be opened", async () => {
  expect(await Browser.tryOpen(url, { BROWSER: browser(3).program })).toBe(false)
  expect(await Browser.tryOpen(url, { BROWSER: "/nowhere/browser" })).toBe(false)
})
