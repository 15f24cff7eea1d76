/**
 * The contract as a list: what a command line, an agent's tools or a table of coverage need to know of each endpoint,
 * without its types. Whoever needs a few endpoints asks for those of their group (`Entry.ofGroup`).
 */
import * as Entries from "./Entry.ts"

export { type Entry, type Field, memberNames, payloadSchema, resultSchemas, successSchema } from "./Entry.ts"

/** Every endpoint of the contract, in its order. */
export const entries: ReadonlyArray<Entries.Entry> = Entries.groups.flatMap(Entries.ofGroup)
