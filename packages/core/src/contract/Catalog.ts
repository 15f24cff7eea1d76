/**
 * Every endpoint of the contract as data, for commands, agent tools and documents. Importing this module creates the
 * endpoints of every group: use `Entry.ofGroup` if one group is enough.
 */
import * as Entries from "./Entry.ts"

export { type Entry, type Field, isStream, memberNames, payloadSchema, resultSchemas, successSchema } from "./Entry.ts"

/** Every endpoint, in the order of the contract. */
export const entries: ReadonlyArray<Entries.Entry> = Entries.groups.flatMap(Entries.ofGroup)
