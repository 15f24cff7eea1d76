/** `tongs explore`: serves the code-search explorer to browsers. */
import * as Fs from "node:fs"
import * as Os from "node:os"
import * as Path from "node:path"
import { pathToFileURL } from "node:url"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Option from "effect/Option"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Browser from "@tongs/connection/base/Browser"
import * as ServerSecretConfig from "../session/ServerSecretConfig.ts"
import * as Flags from "../session/Flags.ts"
import { Output } from "../base/Output.ts"
import * as JsonOutput from "../json/JsonOutput.ts"
import * as ExploreClone from "./ExploreClone.ts"
import * as Session from "../session/Session.ts"

/** The environment variable with the secret that is part of the link. */
const VARIABLE = "TONGS_EXPLORE_TOKEN"

const config = {
  ...Flags.address(4181),
  open: Flags.toggle("open", "Open the explorer in a browser"),
  page: Flag.String("page").pipe(
    Flag.filter(
      (page) => /^(?:[a-z]+(?:\?|$))/.test(page),
      () => "a page of the explorer, for example 'file?repo=OWNER/NAME&path=README.md'"
    ),
    Flag.optional,
    Flag.withMetavar("PAGE"),
    Flag.withDescription("Page of the printed link, for example 'tree?repo=OWNER/NAME'; by default the search")
  ),
  ...ExploreClone.flags
}

const run = Effect.fnUntraced(function* ({
  host,
  open,
  page: target,
  port
}: Command.Command.Config.Infer<typeof config>) {
  const { serve } = yield* Effect.promise(() => import("@tongs/explorer/server/Explorer"))
  const { note, print } = yield* Output
  const { token } = yield* ServerSecretConfig.load(VARIABLE)
  const { link: start, url } = yield* serve({ host, port, page: page(), token })
  const link = Option.match(target, { onNone: () => start, onSome: (target) => withPage(start, target) })
  if (yield* JsonOutput.isWanted)
    yield* JsonOutput.print({ url, token: Redacted.value(token), pid: process.pid }, { isCompact: true })
  else {
    yield* print(link)
    yield* note(
      `${open ? "If no browser opens, open" : "Open"} this link in a browser. It grants access: do not share it. Press Ctrl-C to stop.`
    )
  }
  if (open) yield* openPrivately(link)
})

/** True for an address that only this machine can reach. Only the owner then has the link, and sees uncommitted files. */
const isLoopback = (host: string): boolean => host === "localhost" || host === "::1" || /^127(?:\.\d+){3}$/.test(host)

/** Returns the link to a page. Keeps the query of the start page, which has the secret. */
const withPage = (start: string, target: string): string => {
  const link = new URL(target, start)
  for (const [name, value] of new URL(start).searchParams) link.searchParams.set(name, value)
  return link.href
}

/**
 * Opens a link in the browser through a private file that redirects to the link. Other accounts on the machine can see
 * the arguments of the browser process, and the link contains a secret.
 */
const openPrivately = Effect.fnUntraced(function* (link: string) {
  const folder = yield* Effect.acquireRelease(
    Effect.sync(() => Fs.mkdtempSync(Path.join(Os.tmpdir(), "tongs-explore-"))),
    (folder) => Effect.sync(() => Fs.rmSync(folder, { recursive: true, force: true }))
  )
  const file = Path.join(folder, "open.html")
  const html = `<!doctype html><meta charset="utf-8"><title>Tongs</title><meta name="referrer" content="no-referrer"><meta http-equiv="refresh" content="0;url=${link}">`
  yield* Effect.sync(() => {
    Fs.writeFileSync(file, html, { mode: 0o600 })
    Browser.open(pathToFileURL(file))
  })
})

/** Returns the folder of the built web page: next to the bundle, or in the build output if run from source. */
const page = (): string => {
  const beside = Path.join(import.meta.dirname, "explorer")
  const others = ["../explorer", "../../dist/explorer", "../../../explorer/dist"].map((folder) =>
    Path.join(import.meta.dirname, folder)
  )
  return [beside, ...others].find((folder) => Fs.existsSync(Path.join(folder, "index.html"))) ?? beside
}

export const explore = Command.make(
  "explore",
  config,
  Effect.fnUntraced(function* (given) {
    const selection = yield* ExploreClone.selection(given)
    const serve = run(given)
    return yield* selection === undefined
      ? serve.pipe(
          Effect.andThen(Effect.never),
          Effect.scoped,
          Effect.provide(isLoopback(given.host) ? Session.ownServerLayer : Session.serverLayer)
        )
      : serve.pipe(
          // The page shows existing clones at once.
          Effect.andThen(ExploreClone.cloneRepeatedly(selection)),
          Effect.scoped,
          Effect.provide(Session.cloneLayer(selection))
        )
  })
).pipe(
  Command.withDescription(
    `Serve the code-search explorer as a local web page to browsers that open the printed link. The link's secret is ${VARIABLE}, or a new one for each start.`
  ),
  Command.withShortDescription("Serve the code-search explorer as a local web page")
)
