/**
 * Decodes values with a schema, and compiles it after a number of values: interpreting takes half the time of a page of
 * results. A program with few calls never loads the compiler. In browsers, schemas are never compiled, because a
 * `Content-Security-Policy` may forbid generated code.
 */
import type * as Exit from "effect/Exit"
import * as Schema from "effect/Schema"

/** Number of decoded values after which the schema is compiled. */
const COMPILE_AFTER = 10

const isBrowser = "document" in globalThis || "WorkerGlobalScope" in globalThis

/** Creates a decoder for the schema. It returns an exit with the value or the schema error. */
export const make = <A>(schema: Schema.Codec<A, unknown>): ((value: unknown) => Exit.Exit<A, Schema.SchemaError>) => {
  let decode = Schema.decodeUnknownExit(schema)
  let uses = 0
  const compile = async () => {
    const { enable } = await import("effect/schema/SchemaJITCompiler")
    enable(schema.ast)
    decode = Schema.decodeUnknownExit(schema)
  }
  const keepInterpreting = () => {} // the compiler is missing, for example because an update replaced the program's files
  return (value) => {
    uses += 1
    if (uses === COMPILE_AFTER && !isBrowser) compile().catch(keepInterpreting)
    return decode(value)
  }
}
