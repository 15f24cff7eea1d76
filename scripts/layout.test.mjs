/** docs/project-layout.md names the folders and files that there are. */
import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { basename, join } from "node:path"
import { expect, it } from "vitest"
import { root } from "./workspace.mjs"

const document = readFileSync(join(root, "docs/project-layout.md"), "utf8")
const tracked = execFileSync("git", ["ls-files"], { cwd: root, encoding: "utf8" }).trim().split("\n")

/** The subfolders of a folder that have files. @param {string} folder */
const foldersIn = (folder) => [
  ...new Set(
    tracked
      .filter((path) => path.startsWith(`${folder}/`))
      .map((path) => path.slice(folder.length + 1).split("/"))
      .flatMap(([name, ...rest]) => (rest.length === 0 ? [] : `${name}/`))
  )
]

/** The folder of the table that follows, by the words before it. */
const tables = [
  ["## core", "packages/core/src"],
  ["## service", "packages/service/src"],
  ["In `git/`,", "packages/service/src/git"],
  ["`search/navigation/` runs", "packages/service/src/search/navigation"],
  ["## connection", "packages/connection/src"]
]

it.each(tables)("the table below %s has the folders of %s", (words, folder = "") => {
  const start = document.indexOf(`\n${words}`)
  expect(start).toBeGreaterThan(0)
  const table = /\n\|[ -]+\|.*\n((?:\|.*\n)+)/.exec(document.slice(start))?.[1] ?? ""
  const named = [...table.matchAll(/^\| `([^`]+\/)`/gm)].map(([, name]) => name)
  expect(named.toSorted()).toEqual(foldersIn(folder).toSorted())
})

it("names files that exist", () => {
  const names = new Set(tracked.map((path) => basename(path)))
  const mentioned = [...document.matchAll(/`(?:[\w/-]+\/)?([A-Za-z]+\.(?:ts|tsx|mjs))`/g)].map(([, name = ""]) => name)
  expect(mentioned.length).toBeGreaterThan(50)
  expect(mentioned.filter((name) => !names.has(name))).toEqual([])
})

it("names paths that exist", () => {
  const mentioned = [...document.matchAll(/`((?:packages|apps|test|core|service)\/[\w/.-]+)`/g)].map(([, path = ""]) =>
    path.replace(/^(core|service)\//, "packages/$1/src/").replace(/\/$/, "")
  )
  expect(mentioned.filter((path) => !tracked.some((file) => file === path || file.startsWith(`${path}/`)))).toEqual([])
})
