/**
 * Every endpoint of the contract as data, for commands, agent tools and documents. Importing this module creates the
 * endpoints of every group: use `CatalogEntry.entriesOfGroup` if one group is enough.
 */
import * as Entries from "./CatalogEntry.ts"

export {
  type CatalogEntry,
  type InputField,
  isStream,
  memberNames,
  payloadSchema,
  resultSchemas,
  successSchema
} from "./CatalogEntry.ts"

/** Every endpoint, in the order of the contract. */
export const entries: ReadonlyArray<Entries.CatalogEntry> = Entries.allEntries()
