import { assert, describe, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import * as Fs from "node:fs"
import { tmpdir } from "node:os"
import * as Path from "node:path"
import * as IgnoreGlob from "./IgnoreGlob.ts"

const isIgnored = ({ match }: IgnoreGlob.Globs, path: string): boolean => {
  const parts = path.split("/")
  const matchAt = (length: number) => match(parts.slice(0, length).join("/"), length < parts.length)
  return parts.some((_, index) => matchAt(index + 1) === "ignore")
}

/** Returns the paths that git ignores with an ignore file. */
const ignoredByGit = (folder: string, text: string, paths: ReadonlyArray<string>): ReadonlyArray<string> => {
  Fs.writeFileSync(Path.join(folder, ".gitignore"), text)
  const options = ["-C", folder, "-c", "core.excludesFile=/dev/null", "-c", "core.ignoreCase=false"]
  const arguments_ = [...options, "check-ignore", "--no-index", "--non-matching", "--verbose", "-z", "--stdin"]
  const input = paths.join("\0")
  // Without an ignored path, git exits with 1.
  const fields = spawnSync("git", arguments_, { input, encoding: "utf8" }).stdout.split("\0")
  assert.lengthOf(fields, 4 * paths.length + 1)
  return paths.filter((_, index) => /^[^!]/.test(fields[index * 4 + 2] ?? ""))
}

describe("IgnoreGlob", () => {
  it.each([
    ["*.c", "a/b.c", true],
    ["/a", "x/a", false],
    ["a/*", "a/b/c", false],
    ["a/\n!a/b", "a/b", false],
    ["#a\n\\#b", "#b", true],
    ["a\\ ", "a ", true],
    ["a/", "a", false]
  ])("%j on %s", (text, path, expected) => {
    assert.strictEqual(IgnoreGlob.ofFile(text).match(path, false) === "ignore", expected)
  })

  it("ignores the same paths as git", () => {
    const folder = Fs.mkdtempSync(Path.join(tmpdir(), "tongs-ignore-"))
    try {
      spawnSync("git", ["init", "--quiet", folder])
      let seed = 11
      const random = (count: number) => (seed = (seed * 48_271) % 2_147_483_647) % count
      const text = (parts: ReadonlyArray<string>, most: number) =>
        Array.from({ length: 1 + random(most) }, () => parts[random(parts.length)]).join("")
      const parts = [
        "a",
        "b",
        "c",
        "/",
        "/",
        "*",
        "**",
        "**/",
        "/**",
        "***",
        "?",
        "[ab]",
        "[!a]",
        "[]b]",
        "\\*",
        "\\a",
        "[",
        " "
      ]
      for (let attempt = 0; attempt < 60; attempt++) {
        // Git documents `a**/b` as `a*/b`, but matches the part after the literal prefix as `**/b`.
        const glob = () => text(parts, 6).replace(/(?<=[^/*])\*+/g, "*")
        const lines = Array.from({ length: 1 + random(4) }, () => (random(4) === 0 ? "!" : "") + glob())
        const paths = new Set(Array.from({ length: 60 }, () => text(["a", "b", "c", "*", "]", "/", "/a"], 7)))
        const relative = [...paths].filter((path) => !/^\/|\/\/|\/$/.test(path))
        const globs = IgnoreGlob.ofFile(lines.join("\n"))
        assert.deepStrictEqual(
          relative.filter((path) => isIgnored(globs, path)),
          ignoredByGit(folder, lines.join("\n"), relative),
          JSON.stringify(lines)
        )
      }
    } finally {
      Fs.rmSync(folder, { recursive: true })
    }
  })
})
