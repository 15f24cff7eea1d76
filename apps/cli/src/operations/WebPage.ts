/** `--web`: opens the page of a resource in a browser. */
import * as Effect from "effect/Effect"
import * as Browser from "@tongs/connection/base/Browser"
import { Connection } from "@tongs/connection/Connection"
import * as Catalog from "@tongs/core/contract/Catalog"
import * as Presentation from "@tongs/core/contract/Presentation"
import * as Terminal from "@tongs/core/text/Terminal"
import { Output } from "../base/Output.ts"
import { UsageError } from "../base/UsageError.ts"

/** Returns true if the operation reads one resource that has a page. */
export const has = (entry: Catalog.CatalogEntry): boolean =>
  entry.operation.effect === "read" &&
  entry.operation.paging === undefined &&
  Presentation.hasMember(Catalog.resultSchemas(entry), "html_url")

/** Fails with `UsageError` on the embedded forge of this process, whose pages no server has. */
export const check = Effect.gen(function* () {
  const { kind } = yield* Connection
  if (kind !== "embedded") return
  return yield* new UsageError({
    detail: "The embedded forge has no web pages.",
    hint: "Run `tongs explore --open` to browse its code."
  })
})

/** Opens the page of a resource, or prints its URL if there is no browser. Fails with `UsageError` without a page. */
export const open = Effect.fnUntraced(function* (value: unknown) {
  const text = String(Presentation.valueAt(value, ["html_url"]))
  const url = URL.canParse(text) ? new URL(text) : undefined
  // The forge chooses the URL. Other schemes could start other programs.
  if (url === undefined || !["http:", "https:"].includes(url.protocol)) {
    return yield* new UsageError({ detail: "The result has no web page.", hint: "Omit --web." })
  }
  const { isTerminal, note, print } = yield* Output
  const isOpened = yield* Effect.promise(() => Browser.tryOpen(url))
  if (!isOpened) return yield* print(Terminal.escape(url.href))
  if (isTerminal) yield* note(`Opened ${Terminal.escape(url.href)} in your browser.`)
})
