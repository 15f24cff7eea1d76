/**
 * Describes the file that is the result of an operation, and the command that downloads it. An agent does not get the
 * forge's link, because the link alone grants access.
 */
import * as Effect from "effect/Effect"
import * as DownloadCommand from "@tongs/connection/download/DownloadCommand"
import { Forge } from "@tongs/core/client/Forge"
import { allEntries, type CatalogEntry, resultSchemas } from "@tongs/core/contract/CatalogEntry"
import * as Presentation from "@tongs/core/contract/Presentation"
import type { Arguments } from "../answer/Answer.ts"
import type { Call } from "../call/Call.ts"
import * as ResourceItems from "../results/ResourceItems.ts"

/** Reads the resource of the file. A note contains the command that downloads the file. */
export const read = Effect.fnUntraced(function* (entry: CatalogEntry, input: Arguments, { deadline, now }: Call) {
  const forge = yield* Forge
  const { endpoint } = entry
  const path = endpoint.path.slice(0, endpoint.path.lastIndexOf("/"))
  const resource = allEntries().find((other) => other.readonly && other.endpoint.path === path)
  const command = DownloadCommand.of(entry, input)
  const download = `The file itself is not part of the answer. To save it: ${command} --output FILE`
  if (resource === undefined) return { items: [{ data: { download: command }, text: download }], isThirdParty: false }
  const value = yield* forge.call(resource, input, { deadline })
  const items = ResourceItems.make(value, resultSchemas(resource), undefined, now)
  const isExpired = Presentation.isRow(value) && value["expired"] === true
  return { items, notes: [isExpired ? "The file has expired: the forge no longer has it." : download] }
})
