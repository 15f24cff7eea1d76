/**
 * Decodes values by a schema, and compiles the schema after a number of uses: interpreting it is half the cost of a page.
 * A program with few calls never loads the compiler. In browsers, schemas stay interpreted, because a
 * `Content-Security-Policy` may forbid generated code.
 */
import type * as Exit from "effect/Exit"
import * as Schema from "effect/Schema"

/** Values that are decoded before the schema is compiled. */
const COMPILE_AFTER = 10

const isBrowser = "document" in globalThis || "WorkerGlobalScope" in globalThis

/** A decoder for the schema. Gives an exit with the value or the schema error. */
export const make = <A>(schema: Schema.Codec<A, unknown>): ((value: unknown) => Exit.Exit<A, Schema.SchemaError>) => {
  let decode = Schema.decodeUnknownExit(schema)
  let uses = 0
  const compile = async () => {
    const { enable } = await import("effect/schema/SchemaJITCompiler")
    enable(schema.ast)
    decode = Schema.decodeUnknownExit(schema)
  }
  const keepInterpreting = () => {} // for example after an update replaced the program's files
  return (value) => {
    uses += 1
    if (uses === COMPILE_AFTER && !isBrowser) compile().catch(keepInterpreting)
    return decode(value)
  }
}
