/** `--web`: opens the page of a resource in a browser. */
import * as Effect from "effect/Effect"
import * as Browser from "@tongs/connection/base/Browser"
import { Connection } from "@tongs/connection/Connection"
import * as Catalog from "@tongs/core/contract/CatalogEntry"
import * as Presentation from "@tongs/core/contract/Presentation"
import * as Terminal from "@tongs/core/text/Terminal"
import { Output } from "../base/Output.ts"
import { UsageError } from "../base/UsageError.ts"
import * as ExplorerPage from "./ExplorerPage.ts"

/** Returns true if the operation reads one resource that has a page. */
export const has = (entry: Catalog.CatalogEntry): boolean =>
  entry.operation.effect === "read" &&
  entry.operation.paging === undefined &&
  Presentation.hasMember(Catalog.resultSchemas(entry), "html_url")

/** The embedded forge of this process has no server for pages. The explorer has pages for some resources. */
const noPage = Effect.fnUntraced(function* (value: unknown) {
  const page = ExplorerPage.of(value)
  return new UsageError({
    detail: "The embedded forge has no web pages.",
    hint: `Run \`${yield* ExplorerPage.command(page)}\` to ${page === undefined ? "browse its code" : "see it in the explorer"}.`
  })
})

/**
 * Opens the page of a resource, or prints the URL if there is no browser. Fails with `UsageError` without a page, and
 * on the embedded forge.
 */
export const open = Effect.fnUntraced(function* (value: unknown) {
  if ((yield* Connection).kind === "embedded") return yield* yield* noPage(value)
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
