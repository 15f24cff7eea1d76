/**
 * Checks that imports between the packages point the way the design says (docs/project-layout.md):
 * apps → connection → (service →) core. Types count as well: a type is a dependency too.
 */
import { globSync, readFileSync } from "node:fs"
import { isBuiltin } from "node:module"
import { join, relative, resolve } from "node:path"
import { parseSync } from "rolldown/utils"
import { root } from "./workspace.mjs"

const core = "packages/core/src"

/**
 * What a folder may import of ours; the first rule whose folder holds the file decides. `may` lists prefixes of paths
 * from the root, `lazily` those that only `import()` and `import type` may reach. Tests (`*.test.ts`) may use Node.
 * @type {ReadonlyArray<{ from: string, may: ReadonlyArray<string>, lazily?: ReadonlyArray<string>, node: boolean }>}
 */
const rules = [
  { from: `${core}/contract`, may: [`${core}/contract`], node: false },
  { from: core, may: [core], node: false },
  {
    from: "packages/service/src",
    may: [
      "packages/service/src",
      ...["contract", "explore", "paging", "query", "text"].map((folder) => `${core}/${folder}`)
    ],
    node: true
  },
  { from: "packages/connection/src", may: ["packages/connection/src", "packages/service/src", core], node: true },
  { from: "apps/tui", may: ["apps/tui", "packages/connection/src", core], node: true },
  { from: "apps/mcp", may: ["apps/mcp", "packages/connection/src", core], node: true },
  {
    from: "apps/explorer/src/page",
    may: ["apps/explorer/src/page", "apps/explorer/src/Wire.ts", core],
    node: false
  },
  { from: "apps/explorer", may: ["apps/explorer", "packages/connection/src", core], node: true },
  {
    from: "apps/cli",
    may: ["apps/cli", "packages/"],
    lazily: ["apps/tui", "apps/mcp", "apps/explorer"],
    node: true
  }
]

/** @type {ReadonlyMap<string, string>} */
const folders = new Map([
  ["@tongs/core", core],
  ["@tongs/service", "packages/service/src"],
  ["@tongs/connection", "packages/connection/src"],
  ["@tongs/tui", "apps/tui/src"],
  ["@tongs/mcp", "apps/mcp/src"],
  ["@tongs/explorer", "apps/explorer/src"],
  ["tongs", "apps/cli/src"]
])

/**
 * The imports of a module, with the offset at which each stands.
 * @param {string} file
 * @param {string} code
 */
const importsOf = (file, code) => {
  const { dynamicImports, staticExports, staticImports } = parseSync(file, code).module
  return [
    ...staticImports.map(({ entries, moduleRequest, start }) => ({
      specifier: moduleRequest.value,
      start,
      lazy: entries.length > 0 && entries.every((entry) => entry.isType)
    })),
    ...staticExports.flatMap(({ entries, start }) =>
      entries.flatMap(({ isType, moduleRequest }) =>
        moduleRequest === null || moduleRequest === undefined
          ? []
          : [{ specifier: moduleRequest.value, start, lazy: isType }]
      )
    ),
    ...dynamicImports.map(({ moduleRequest, start }) => ({
      specifier: code.slice(moduleRequest.start + 1, moduleRequest.end - 1),
      start,
      lazy: true
    }))
  ]
}

/**
 * The path from the root that an import of ours leads to, or undefined for a library.
 * @param {string} file
 * @param {string} specifier
 */
const targetOf = (file, specifier) => {
  if (specifier.startsWith(".")) return relative(root, resolve(root, file, "..", specifier)).replaceAll("\\", "/")
  const [name = "", ...rest] = specifier.split(/(?<!^@[^/]*)\//)
  const folder = folders.get(name)
  return folder === undefined ? undefined : [folder, ...rest].join("/")
}

/**
 * @param {string} path
 * @param {ReadonlyArray<string>} prefixes
 */
const within = (path, prefixes) =>
  prefixes.some((prefix) => path === prefix || path.startsWith(prefix.endsWith("/") ? prefix : `${prefix}/`))

/**
 * What is wrong with the imports of one file; a line each.
 * @param {string} file a path from the root
 * @param {string} code
 * @returns {Array<string>}
 */
export const violations = (file, code) => {
  const rule = rules.find(({ from }) => within(file, [from]))
  if (rule === undefined) return []
  const isTest = /\.test\.tsx?$/.test(file)
  return importsOf(file, code).flatMap(({ lazy, specifier, start }) => {
    const place = `${file}:${code.slice(0, start).split("\n").length}`
    const target = targetOf(file, specifier)
    if (target === undefined) {
      return rule.node || isTest || !(isBuiltin(specifier) || specifier.startsWith("@effect/platform-node"))
        ? []
        : [`${place}: ${rule.from} runs in a browser too and may not import ${specifier}`]
    }
    if (within(target, rule.may)) return []
    if (within(target, rule.lazily ?? []))
      return lazy ? [] : [`${place}: ${specifier} must be loaded when it is needed, with import()`]
    return [`${place}: ${rule.from} may not import ${specifier}`]
  })
}

if (import.meta.main) {
  const files = globSync("{packages,apps}/*/{src,bin,web}/**/*.{ts,tsx}", { cwd: root }).sort()
  const found = files.flatMap((file) => violations(file.replaceAll("\\", "/"), readFileSync(join(root, file), "utf8")))
  for (const line of found) console.error(line)
  if (found.length > 0) process.exitCode = 1
  else console.error(`arrows: ${files.length} files, every import points the right way`)
}
