/**
 * Checks which way imports point (docs/project-layout.md): between packages apps → connection → (service →) core, inside
 * a package from higher to lower layers, and nowhere in a cycle. Type imports count: a type is a dependency too.
 */
import { globSync, readFileSync } from "node:fs"
import { isBuiltin } from "node:module"
import { join, relative, resolve } from "node:path"
import { parseSync } from "rolldown/utils"
import { root } from "./workspace.mjs"

const CORE = "packages/core/src"
const SYNTAX = "packages/syntax/src"

/**
 * The workspace files that a folder may import. The first rule whose folder contains the file applies. `may` lists path
 * prefixes from the root, `lazily` prefixes for `import()` and `import type` only. Tests (`*.test.ts`) may use Node.
 * @type {ReadonlyArray<{ from: string, may: ReadonlyArray<string>, lazily?: ReadonlyArray<string>, node: boolean }>}
 */
const rules = [
  { from: `${CORE}/contract`, may: [`${CORE}/contract`], node: false },
  { from: CORE, may: [CORE], node: false },
  { from: "packages/client/src/node", may: ["packages/client/src", "packages/connection/src", CORE], node: true },
  { from: "packages/client/src", may: ["packages/client/src", CORE], node: false },
  {
    from: "packages/service/src",
    may: [
      "packages/service/src",
      ...["contract", "limits/QueryCost", "paging", "query", "text"].map((path) => `${CORE}/${path}`),
      SYNTAX
    ],
    node: true
  },
  { from: "packages/connection/src", may: ["packages/connection/src", "packages/service/src", CORE], node: true },
  { from: "packages/testing/src", may: ["packages/testing/src", "packages/service/src"], node: true },
  { from: SYNTAX, may: [SYNTAX], node: false },
  { from: "apps/tui", may: ["apps/tui", "packages/connection/src", CORE, SYNTAX], node: true },
  { from: "apps/mcp", may: ["apps/mcp", "packages/connection/src", CORE], node: true },
  {
    from: "apps/explorer/src/page",
    may: [
      "apps/explorer/src/page",
      "apps/explorer/src/ExplorerApi.ts",
      "apps/explorer/src/ComparisonApi.ts",
      "apps/explorer/src/GitHubPaths.ts",
      "apps/explorer/src/IssueApi.ts",
      "apps/explorer/src/PatchPages.ts",
      "apps/explorer/src/PullRequestApi.ts",
      "apps/explorer/src/ReleaseApi.ts",
      "apps/explorer/src/RunApi.ts",
      "apps/explorer/src/RunStatuses.ts",
      CORE,
      SYNTAX
    ],
    node: false
  },
  { from: "apps/explorer", may: ["apps/explorer", "packages/connection/src", CORE, SYNTAX], node: true },
  {
    from: "apps/cli",
    may: ["apps/cli", "packages/"],
    lazily: ["apps/tui", "apps/mcp", "apps/explorer"],
    node: true
  }
]

/**
 * The subfolders of each package, and of some folders, as layers from the lowest to the highest. A folder may not
 * import from higher layers or from another folder of the same layer. A file directly in the source folder has no layer
 * unless named here: only cycles are forbidden.
 * @type {Readonly<Record<string, ReadonlyArray<ReadonlyArray<string>>>>}
 */
export const layers = {
  [CORE]: [["contract"], ["text"], ["query"], ["paging", "limits"], ["client"], ["auth", "webhooks"]],
  "packages/service/src": [
    ["base"],
    ["storage"],
    ["git"],
    ["accounts"],
    ["verification"],
    ["repositories"],
    ["access", "search"],
    ["api"],
    ["rules", "webhooks"],
    ["events"],
    ["notifications"],
    ["issues", "checks"],
    ["deployments"],
    ["reviews", "releases", "runs"],
    ["pulls"],
    ["features"],
    ["http"],
    ["cluster"],
    ["main"]
  ],
  "packages/service/src/git": [
    ["files"],
    ["values"],
    ["process"],
    ["objects"],
    ["refs"],
    ["history"],
    ["merging", "worktree"]
  ],
  "packages/service/src/search/navigation": [["modules"], ["types"], ["definitions", "references"], ["packages"]],
  "packages/connection/src": [["base"], ["config"], ["credentials", "limits", "cache", "download", "blame"], ["clone"]],
  [SYNTAX]: [["symbols"], ["navigation"]],
  "apps/cli/src": [
    ["base"],
    ["session"],
    ["json", "completion"],
    ["telemetry", "operations", "overview"],
    ["commands"]
  ],
  "apps/tui/src": [["text", "terminal"], ["content"], ["actions"], ["screens"], ["model"], ["hooks"], ["views"]],
  "apps/mcp/src": [
    ["text", "transport"],
    ["answer"],
    ["call"],
    ["lists", "files", "results"],
    ["writes"],
    ["commits", "webhooks", "search", "operations"],
    ["tools"],
    ["resources"],
    ["prompts"]
  ],
  "apps/explorer/src": [["server", "page"]],
  "apps/explorer/src/page": [
    ["model", "styles"],
    ["syntax", "api", "hooks"],
    ["components", "editor"],
    ["navigation", "markdown"],
    ["saved"],
    ["home", "search", "file", "issue"],
    ["compare", "tree"],
    ["commit"],
    ["pull"],
    ["release", "run"]
  ]
}

/** @type {ReadonlyMap<string, string>} */
const folders = new Map([
  ["@tongs/core", CORE],
  ["@tongs/service", "packages/service/src"],
  ["@tongs/connection", "packages/connection/src"],
  ["@tongs/syntax", SYNTAX],
  ["@tongs/tui", "apps/tui/src"],
  ["@tongs/mcp", "apps/mcp/src"],
  ["@tongs/explorer", "apps/explorer/src"],
  ["tongs", "apps/cli/src"]
])

/**
 * The imports of a module, with offsets.
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
 * The path from the root of an imported workspace file, or undefined for a library.
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
 * The forbidden imports of one file, one per line.
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

/**
 * Imports of a package that point to a higher layer or to another folder of the same layer; a line each.
 * @param {string} source the package's source folder
 * @param {ReadonlyArray<Import>} imports between its files
 * @param {ReadonlyArray<ReadonlyArray<string>>} order
 */
export const layerViolations = (source, imports, order) => {
  const levels = new Map(order.flatMap((names, level) => names.map((name) => [name, level])))
  /** @param {string} file */
  const layerOf = (file) => {
    const [name = "", ...inner] = file.slice(source.length + 1).split("/")
    return { name, level: levels.get(name), isFile: inner.length === 0 }
  }
  return imports.flatMap(({ from, place, to }) => {
    const lower = layerOf(to)
    const upper = layerOf(from)
    for (const { isFile, level, name } of [lower, upper])
      if (level === undefined && !isFile) return [`${source}/${name} has no layer: add it to scripts/arrows.mjs`]
    if (lower.level === undefined || upper.level === undefined) return []
    if (lower.name === upper.name || lower.level < upper.level) return []
    return [`${place}: ${upper.name} may not import ${to.slice(source.length + 1)}: ${lower.name} is not below it`]
  })
}

/**
 * Cycles of imports in a package: between files, and between the folders and files that share a parent folder.
 * @param {string} source the package's source folder
 * @param {ReadonlyArray<Import>} imports between its files
 * @returns {Array<string>} a line each
 */
export const cycles = (source, imports) => {
  const files = components(imports.map(({ from, to }) => [from, to]))
  const parents = new Set([source, ...imports.flatMap(({ from, to }) => [...ancestors(from), ...ancestors(to)])])
  const folders = [...parents].flatMap((parent) => {
    /** @param {string} file */
    const childOf = (file) => file.slice(parent.length + 1).split("/", 1)[0] ?? ""
    const inside = imports.filter(({ from, to }) => within(from, [parent]) && within(to, [parent]))
    return components(inside.map(({ from, to }) => [childOf(from), childOf(to)]))
      .filter((names) => names.some((name) => !/\.tsx?$/.test(name)))
      .map((names) => `${parent}: ${names.join(", ")}`)
  })
  return [
    ...files.map((names) => `cycle of files: ${names.join(", ")}`),
    ...folders.map((names) => `cycle of folders in ${names}`)
  ]
}

/**
 * The folders that contain a file, without the repository's root.
 * @param {string} file
 */
const ancestors = (file) => {
  const parts = file.split("/").slice(0, -1)
  return parts.map((_, index) => parts.slice(0, index + 1).join("/")).filter((folder) => /\/src(\/|$)/.test(folder))
}

/**
 * Strongly connected components of more than one node (Tarjan's algorithm).
 * @param {ReadonlyArray<readonly [from: string, to: string]>} edges
 * @returns {Array<Array<string>>}
 */
const components = (edges) => {
  const targets = Map.groupBy(
    edges.filter(([from, to]) => from !== to),
    ([from]) => from
  )
  /** @type {Map<string, { index: number, low: number, isOnStack: boolean }>} */
  const states = new Map()
  /** @type {Array<string>} */
  const stack = []
  /** @type {Array<Array<string>>} */
  const found = []
  /** @param {string} node */
  const visit = (node) => {
    const state = { index: states.size, low: states.size, isOnStack: true }
    states.set(node, state)
    stack.push(node)
    for (const [, target] of targets.get(node) ?? []) {
      const known = states.get(target)
      if (known === undefined) state.low = Math.min(state.low, visit(target).low)
      else if (known.isOnStack) state.low = Math.min(state.low, known.index)
    }
    if (state.low === state.index) {
      const component = stack.splice(stack.lastIndexOf(node))
      for (const name of component) Object.assign(states.get(name) ?? {}, { isOnStack: false })
      if (component.length > 1) found.push(component.sort())
    }
    return state
  }
  for (const node of targets.keys()) if (!states.has(node)) visit(node)
  return found
}

/**
 * @typedef {object} Import
 * @property {string} from a path from the root
 * @property {string} to a path from the root, with its extension
 * @property {string} place `file:line` of the import
 */

/**
 * The imports of a file within its package.
 * @param {string} source the package's source folder
 * @param {string} file
 * @param {string} code
 * @returns {Array<Import>}
 */
const inside = (source, file, code) =>
  importsOf(file, code).flatMap(({ specifier, start }) => {
    const to = targetOf(file, specifier)
    return to === undefined || !within(to, [source])
      ? []
      : [{ from: file, to, place: `${file}:${code.slice(0, start).split("\n").length}` }]
  })

if (import.meta.main) {
  const files = globSync("{packages,apps}/*/{src,bin,web}/**/*.{ts,tsx}", { cwd: root })
    .map((file) => file.replaceAll("\\", "/"))
    .sort()
  const codes = new Map(files.map((file) => [file, readFileSync(join(root, file), "utf8")]))
  const found = files.flatMap((file) => violations(file, codes.get(file) ?? ""))
  for (const source of new Set([...folders.values(), ...Object.keys(layers)])) {
    const product = files.filter((file) => within(file, [source]) && !/\.test(-support)?\.tsx?$/.test(file))
    const imports = product.flatMap((file) => inside(source, file, codes.get(file) ?? ""))
    const order = layers[source]
    if (order === undefined) found.push(`${source} declares no layers: add them to scripts/arrows.mjs`)
    else found.push(...new Set(layerViolations(source, imports, order)))
    if ([...folders.values()].includes(source)) found.push(...cycles(source, imports))
  }
  for (const line of found) console.error(line)
  if (found.length > 0) {
    console.error(`arrows: ${found.length} imports or cycles are wrong`)
    process.exitCode = 1
  } else console.error(`arrows: ${files.length} files, every import points the right way, no cycles`)
}
