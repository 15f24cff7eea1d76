/** The files and folders agree with docs/project-layout.md, and have distinct names. */
import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { basename, dirname, join } from "node:path"
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

/** The folder that each table describes, by the words before the table. */
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

/** The name before the first dot: `Search` of `Search.test-support.ts`. @param {string} path */
const baseName = (path) => basename(path).split(".")[0] ?? ""

/** Names with a meaning for tools in each folder. */
const conventional = ["index", "main"]

it("uses a base name once in a package", () => {
  const sources = tracked.filter((path) => /^(?:packages|apps)\/[^/]+\/src\/.+(?<!\.d)\.tsx?$/.test(path))
  const folders = new Map()
  for (const path of sources) {
    const name = `${path.split("/").slice(0, 2).join("/")} ${baseName(path).toLowerCase()}`
    folders.set(name, new Set([...(folders.get(name) ?? []), dirname(path)]))
  }
  const repeated = [...folders].filter(([, found]) => found.size > 1).map(([name]) => name)
  expect(folders.size).toBeGreaterThan(1000)
  expect(repeated.filter((name) => !conventional.includes(name.split(" ")[1] ?? ""))).toEqual([])
})
