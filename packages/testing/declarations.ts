/**
 * Writes the published declarations: the types of the entry points and all types that they mention, in one file without
 * types of other packages. Run after the build.
 */
import * as Fs from "node:fs"
import * as Path from "node:path"
import ts from "typescript-5"
import { Declarations } from "../client/declarations/Declarations.ts"

const dist = Path.join(import.meta.dirname, "dist")

/** The entry points, by the path of the emitted declarations. */
const entries = {
  index: "index",
  intercept: "intercept",
  jest: "adapters/jest",
  node: "adapters/node",
  vitest: "adapters/vitest"
}

const fileOf = (entry: string) => Path.join(dist, `${entry}.d.ts`)

const program = ts.createProgram(Object.values(entries).map(fileOf), {
  module: ts.ModuleKind.NodeNext,
  target: ts.ScriptTarget.ES2024,
  lib: ["lib.es2024.d.ts", "lib.esnext.disposable.d.ts"],
  strict: true,
  exactOptionalPropertyTypes: true,
  noEmit: true,
  types: ["node"],
  typeRoots: [Path.join(import.meta.dirname, "node_modules/@types")]
})
// An import of a private package does not resolve, and would be `any` for users.
const errors = ts.getPreEmitDiagnostics(program)
if (errors.length > 0) throw new Error(ts.formatDiagnostics(errors, ts.createCompilerHost({})))

const checker = program.getTypeChecker()
const declarations = new Declarations(checker)

const exported = Object.entries(entries).map(([name, entry]) => {
  const source = program.getSourceFile(fileOf(entry))
  const module = source === undefined ? undefined : checker.getSymbolAtLocation(source)
  if (module === undefined) throw new Error(`${entry}.d.ts is missing or no module`)
  const names = checker.getExportsOfModule(module).map((symbol) => {
    const from = declarations.add(symbol, symbol.name)
    const isType = symbol.declarations?.some(ts.isTypeOnlyExportDeclaration) === true
    return `${isType ? "type " : ""}${from === symbol.name ? from : `${from} as ${symbol.name}`}`
  })
  return { name, names }
})
const text = declarations.print()

// The emitted declarations are no longer needed.
for (const name of Fs.globSync("**/*.d.ts", { cwd: dist })) Fs.rmSync(Path.join(dist, name))
Fs.rmdirSync(Path.join(dist, "adapters"))
Fs.writeFileSync(Path.join(dist, "types.d.ts"), text)
for (const { name, names } of exported)
  Fs.writeFileSync(Path.join(dist, `${name}.d.ts`), `export { ${names.join(", ")} } from "./types.js"\n`)
