/**
 * The declarations of the built library for a program that installs the library: public API, documentation, hover
 * texts.
 */
import { createHash } from "node:crypto"
import { readdirSync, readFileSync, realpathSync } from "node:fs"
import { join } from "node:path"
import ts from "typescript-5"
import { describe, expect, it } from "vitest"

const packages = join(import.meta.dirname, "../../packages")
const snapshot = join(packages, "core/public-api.txt")
const UPDATE = "If the change is intended, run: npx vitest run test/acceptance/library-types.test.ts -u"

/** Promised entry points of a package, which resolve without the custom condition of this workspace. */
const entryPointsOf = (folder: string) => {
  const manifest: unknown = JSON.parse(readFileSync(join(packages, folder, "package.json"), "utf8"))
  return Object.keys(Object(Object(manifest).exports))
    .filter((path) => !/[*]|[.]json$/.test(path))
    .map((path) => `@tongs/${folder}${path.slice(1)}`)
}
const entryPoints = ["core", "client", "testing"].flatMap(entryPointsOf)

const consumer = join(import.meta.dirname, "consumer.ts")
const program = `${entryPoints.map((name, index) => `import type * as module${index} from "${name}"`).join("\n")}
export type { ${entryPoints.map((_, index) => `module${index}`).join(", ")} }
declare const forge: import("@tongs/core").Client
declare const promised: import("@tongs/client").PromiseForge
export const ref = forge.gitRefs.get({ owner: "octo", repo: "hello", ref: "heads/main" })
export const promisedRef = promised.gitRefs.get({ owner: "octo", repo: "hello", ref: "heads/main" })
export const branches = promised.branches.list
export const issues = forge.request("GET /repos/{owner}/{repo}/issues", { owner: "octo", repo: "hello", state: "open" })
export const promisedRuns = promised.paginate("GET /repos/{owner}/{repo}/actions/runs", { owner: "octo", repo: "hello", status: "queued" })
`

const options: ts.CompilerOptions = {
  module: ts.ModuleKind.NodeNext,
  target: ts.ScriptTarget.ES2023,
  lib: ["lib.es2023.d.ts", "lib.dom.d.ts", "lib.esnext.disposable.d.ts"],
  strict: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: true,
  noEmit: true,
  types: []
}

const service = ts.createLanguageService({
  getScriptFileNames: () => [consumer],
  getScriptVersion: () => "1",
  getScriptSnapshot: (name) => {
    const text = name === consumer ? program : ts.sys.readFile(name)
    return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text)
  },
  getCurrentDirectory: () => import.meta.dirname,
  getCompilationSettings: () => options,
  getDefaultLibFileName: ts.getDefaultLibFilePath,
  fileExists: (name) => name === consumer || ts.sys.fileExists(name),
  readFile: (name) => (name === consumer ? program : ts.sys.readFile(name)),
  directoryExists: (name) => ts.sys.directoryExists(name),
  getDirectories: (name) => ts.sys.getDirectories(name),
  realpath: (name) => realpathSync(name)
})

const compiled = () => {
  const made = service.getProgram()
  if (made === undefined) throw new Error("The language service has no program")
  return made
}

interface Export {
  readonly name: string
  readonly symbol: ts.Symbol
}

/** Exports of an entry point. Exports of a module that is exported as a namespace are listed as `Namespace.name`. */
const exportsOf = (name: string): ReadonlyArray<Export> => {
  const checker = compiled().getTypeChecker()
  const list = (module: ts.Symbol, prefix: string): ReadonlyArray<Export> =>
    checker.getExportsOfModule(module).flatMap((exported) => {
      const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported
      const path = `${prefix}${exported.name}`
      return symbol.flags & ts.SymbolFlags.ValueModule ? list(symbol, `${path}.`) : [{ name: path, symbol }]
    })
  const source = compiled().getSourceFile(consumer)
  const declaration = source?.statements
    .filter(ts.isImportDeclaration)
    .find(({ moduleSpecifier }) => ts.isStringLiteral(moduleSpecifier) && moduleSpecifier.text === name)
  const module = declaration && checker.getSymbolAtLocation(declaration.moduleSpecifier)
  if (module === undefined) throw new Error(`${name} does not resolve`)
  return list(module, "").toSorted((one, other) => (one.name < other.name ? -1 : 1))
}

/** Longer signatures, such as the type of the whole contract, are in the snapshot as a digest. */
const MAX_SIGNATURE = 1_500

const printer = ts.createPrinter({ removeComments: true })

const signature = ({ symbol }: Export): string =>
  (symbol.declarations ?? [])
    .map((declaration) => {
      const text = printer
        .printNode(ts.EmitHint.Unspecified, declaration, declaration.getSourceFile())
        .replace(/^(export |declare )*/, "")
        .replace(/^\s*\n/gm, "")
      if (text.length <= MAX_SIGNATURE) return text
      const digest = createHash("sha256").update(text).digest("hex").slice(0, 12)
      return `${text.slice(0, 200)}… (${text.length} characters, sha256 ${digest})`
    })
    .join("\n")

it("has the public API of the snapshot", async () => {
  const text = entryPoints
    .map((name) => {
      const lines = exportsOf(name).map((one) => `${one.name}\n${signature(one).replace(/^/gm, "    ")}`)
      return `# ${name}\n\n${lines.join("\n")}\n`
    })
    .join("\n")
  await expect(text, `The public API changed. ${UPDATE}`).toMatchFileSnapshot(snapshot)
}, 120_000)

it("the published methods of the client have the types of the contract", () => {
  const file = join(import.meta.dirname, "derived.ts")
  const text = `import type { PromiseGroups as Derived } from "../../packages/client/src/PromiseForge.ts"
import type { PromiseGroups } from "../../packages/client/dist/index.js"
declare const derived: Derived
export const published: PromiseGroups = derived
export type Names = [keyof Derived, keyof PromiseGroups]
`
  const sources: ts.CompilerOptions = {
    ...options,
    allowImportingTsExtensions: true,
    customConditions: ["@tongs/source"]
  }
  const host = ts.createCompilerHost(sources)
  const program = ts.createProgram([file], sources, {
    ...host,
    fileExists: (name) => name === file || host.fileExists(name),
    getSourceFile: (name, target) =>
      name === file ? ts.createSourceFile(name, text, target) : host.getSourceFile(name, target)
  })
  const errors = program.getSemanticDiagnostics(program.getSourceFile(file))
  expect(errors.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"))).toEqual([])
  expect(
    program.getSourceFiles().some(({ fileName }) => fileName.endsWith("core/src/contract/groups/GitRefs.ts"))
  ).toBe(true)
}, 120_000)

it("the declarations of the client mention no types of Effect", () => {
  const dist = join(packages, "client/dist")
  for (const name of readdirSync(dist).filter((file) => file.endsWith(".d.ts"))) {
    const imported = [...readFileSync(join(dist, name), "utf8").matchAll(/(?:from|import\()\s*"([^"]+)"/g)]
    expect(["./types.js", "./payloads.js", "@octokit/openapi-types"], name).toEqual(
      expect.arrayContaining(imported.map(([, specifier]) => specifier))
    )
  }
  const files = service.getProgram()?.getSourceFiles() ?? []
  expect(files.some(({ fileName }) => fileName === join(dist, "types.d.ts"))).toBe(true)
})

describe("every export has a doc comment", () => {
  for (const name of entryPoints) {
    it(name, () => {
      const checker = compiled().getTypeChecker()
      const bare = exportsOf(name).filter(({ symbol }) => symbol.getDocumentationComment(checker).length === 0)
      expect(bare.map((one) => one.name)).toEqual([])
    })
  }
})

describe("the hover text of a method", () => {
  for (const [expression, type] of [
    ["forge.gitRefs.get", "Effect"],
    ["promised.gitRefs.get", "Promise"]
  ] as const) {
    it(`${expression} has summary, permission and errors`, () => {
      const info = service.getQuickInfoAtPosition(consumer, program.indexOf(expression) + expression.length - 1)
      const documentation = ts.displayPartsToString(info?.documentation)
      expect(ts.displayPartsToString(info?.displayParts)).toContain(type)
      expect(documentation).toContain("Get a reference.")
      expect(documentation).toContain("`GET /repos/:owner/:repo/git/ref/:ref`")
      expect(documentation).toContain("Permission: `contents` (read)")
      expect(documentation).toMatch(/Errors: .*`NotFound`.*`RateLimited`/)
    })
  }

  it("exists for every method", () => {
    const checker = compiled().getTypeChecker()
    const source = compiled().getSourceFile(consumer)
    const groups = exportsOf("@tongs/core/client").find((one) => one.name === "Client.Groups")
    if (source === undefined || groups === undefined) throw new Error("There is no Client.Groups")
    const methods = checker
      .getPropertiesOfType(checker.getDeclaredTypeOfSymbol(groups.symbol))
      .flatMap((group) => checker.getPropertiesOfType(checker.getTypeOfSymbolAtLocation(group, source)))
    expect(methods.length).toBeGreaterThan(100)
    for (const method of methods) {
      const documentation = ts.displayPartsToString(method.getDocumentationComment(checker))
      expect(documentation, method.name).toMatch(/^[A-Z].*\.\n/)
      expect(documentation, method.name).toMatch(/Permission: /)
      expect(documentation, method.name).toMatch(/Errors: .*`Unreachable`/)
    }
  })
})

describe("an editor completes", () => {
  const completionsAt = (text: string) =>
    service.getCompletionsAtPosition(consumer, program.indexOf(text) + text.length, {})?.entries.map(({ name }) => name)

  for (const call of ["forge.request(", "promised.paginate("]) {
    it(`the routes of GitHub in ${call}`, () => {
      const routes = completionsAt(`${call}"GET /repos/`)
      expect(routes).toContain("GET /repos/{owner}/{repo}/issues")
      expect(routes).toContain("PUT /user/starred/{owner}/{repo}")
      expect(routes?.length).toBeGreaterThan(1_000)
    })
  }

  it("the values and the members of the input of a route", () => {
    expect(completionsAt(`state: "`)?.toSorted()).toEqual(["all", "closed", "open"])
    expect(completionsAt(`status: "`)).toContain("in_progress")
    const members = completionsAt(`"hello", sta`) ?? []
    expect(members).toEqual(expect.arrayContaining(["assignee", "labels", "since"]))
  })
})
