/**
 * Reads values by a schema. One that is used often is compiled: half of what a page of a list costs is going through its
 * schema member by member. A program that asks once does not wait for the compiler, nor load it; where code may not be
 * made (`Content-Security-Policy`), schemas are interpreted.
 */
import type * as Exit from "effect/Exit"
import * as Schema from "effect/Schema"

/** How many values are read before the schema is compiled. */
const COMPILE_AFTER = 10

/** A page's policy against made code would be reported at every try. */
const isBrowser = "document" in globalThis || "WorkerGlobalScope" in globalThis

export const make = <A>(schema: Schema.Codec<A, unknown>): ((value: unknown) => Exit.Exit<A, Schema.SchemaError>) => {
  let decode = Schema.decodeUnknownExit(schema)
  let uses = 0
  const compile = async () => {
    const { enable } = await import("effect/schema/SchemaJITCompiler")
    enable(schema.ast)
    decode = Schema.decodeUnknownExit(schema)
  }
  const goOnInterpreting = () => {} // as where the program's files were replaced under it
  return (value) => {
    uses += 1
    if (uses === COMPILE_AFTER && !isBrowser) compile().catch(goOnInterpreting)
    return decode(value)
  }
}
