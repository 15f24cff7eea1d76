/**
 * Writes the published declarations: the types of the entry points and all types that they mention, in one file without
 * types of Effect, so that the package depends only on the package of GitHub's routes. Run after the build.
 */
import * as Fs from "node:fs"
import * as Path from "node:path"
import { createRequire } from "node:module"
import ts from "typescript-5"
import { Declarations } from "./Declarations.ts"
import { MethodTypes } from "./MethodTypes.ts"

const require = createRequire(import.meta.url)
const dist = Path.join(import.meta.dirname, "../dist")
const core = Path.join(import.meta.dirname, "../../core/dist")

/** The entry points, by the path of the emitted declarations. */
const entries = {
  index: "index",
  webhooks: "webhooks/index",
  node: "node/index",
  redis: "node/redis",
  sqlite: "node/sqlite"
}

/** The types of GitHub's webhook payloads. */
const payloads = Path.dirname(require.resolve("@octokit/webhooks-types/package.json"))
const license = Fs.readFileSync(Path.join(payloads, "package.json"), "utf8").includes(`"license": "MIT"`)
if (!license) throw new Error("@octokit/webhooks-types has another license now")
const payloadText = `/* Copyright Gregor Martynus and contributors of octokit/webhooks. MIT License. */\n${Fs.readFileSync(Path.join(payloads, "schema.d.ts"), "utf8")}`

const program = ts.createProgram(
  [...Object.values(entries).map((name) => Path.join(dist, `${name}.d.ts`)), Path.join(core, "contract/index.d.ts")],
  {
    module: ts.ModuleKind.NodeNext,
    target: ts.ScriptTarget.ES2023,
    lib: ["lib.es2023.d.ts", "lib.dom.d.ts", "lib.esnext.disposable.d.ts"],
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: true,
    noEmit: true,
    types: ["node"],
    typeRoots: [Path.join(import.meta.dirname, "../node_modules/@types")],
    customConditions: ["@tongs/internal"]
  }
)
const checker = program.getTypeChecker()

const symbolOf = (file: string) => {
  const source = program.getSourceFile(Path.join(dist, `${file}.d.ts`))
  const symbol = source === undefined ? undefined : checker.getSymbolAtLocation(source)
  if (symbol === undefined) throw new Error(`${file}.d.ts is missing or no module`)
  return symbol
}

const declarations = new Declarations(checker)
const methods = new MethodTypes(checker, declarations)
for (const name of Fs.globSync("{*,groups/*}.js", { cwd: Path.join(core, "contract") })) {
  const source = program.getSourceFile(Path.join(core, "contract", name.replace(/js$/, "d.ts")))
  const file = source === undefined ? undefined : checker.getSymbolAtLocation(source)
  if (file === undefined) continue
  const values: Record<string, unknown> = await import(Path.join(core, "contract", name))
  for (const symbol of checker.getExportsOfModule(file)) {
    const identifier: unknown = Object(Object(Object(values[symbol.name]).ast).annotations).identifier
    if (typeof identifier === "string") methods.addResource(symbol, identifier)
  }
}
declarations.replace("PromiseGroups", (type, name) => methods.groups(type, name))

const exported = Object.entries(entries).map(([name, file]) => {
  const names = checker.getExportsOfModule(symbolOf(file)).map((symbol) => ({
    from: declarations.add(symbol, symbol.name),
    to: symbol.name
  }))
  return { name, names }
})
const text = declarations.print()
const resources = methods.resourceNames()

// The emitted declarations are no longer needed.
for (const name of Fs.globSync("**/*.d.ts", { cwd: dist })) Fs.rmSync(Path.join(dist, name))
for (const folder of ["core", "auth", "node", "webhooks", "contract"]) {
  const path = Path.join(dist, folder)
  if (Fs.existsSync(path) && Fs.globSync("**/*.*", { cwd: path }).length === 0) Fs.rmSync(path, { recursive: true })
}
Fs.writeFileSync(Path.join(dist, "payloads.d.ts"), payloadText)
Fs.writeFileSync(Path.join(dist, "types.d.ts"), text)
for (const { name, names } of exported) {
  const all = [...names, ...(name === "index" ? resources.map((resource) => ({ from: resource, to: resource })) : [])]
  const list = all.map(({ from, to }) => (from === to ? from : `${from} as ${to}`))
  Fs.writeFileSync(Path.join(dist, `${name}.d.ts`), `export { ${list.join(", ")} } from "./types.js"\n`)
}
