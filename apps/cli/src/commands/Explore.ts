/** `tongs explore`: the code-search explorer in a browser. */
import * as Fs from "node:fs"
import * as Os from "node:os"
import * as Path from "node:path"
import { pathToFileURL } from "node:url"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Browser from "@tongs/connection/base/Browser"
import * as ServerSecretConfig from "../session/ServerSecretConfig.ts"
import * as Flags from "../session/Flags.ts"
import { Output } from "../base/Output.ts"
import * as Session from "../session/Session.ts"

/** The variable that sets the secret of the link. */
const VARIABLE = "TONGS_EXPLORE_TOKEN"

const config = {
  port: Flags.port("port").pipe(
    Flag.withDefault(4181),
    Flag.withDescription("Port to listen on; 0 for any that is free")
  ),
  host: Flag.String("host").pipe(Flag.withDefault("127.0.0.1"), Flag.withDescription("Address to listen on")),
  open: Flag.Boolean("open").pipe(
    Flag.withoutNegation,
    Flag.withDefault(false),
    Flag.withDescription("Open it in the browser")
  )
}

const run = Effect.fnUntraced(function* ({ host, open, port }: Command.Command.Config.Infer<typeof config>) {
  const { serve } = yield* Effect.promise(() => import("@tongs/explorer/server/Explorer"))
  const { note, print } = yield* Output
  const { token } = yield* ServerSecretConfig.load(VARIABLE)
  const { link, url } = yield* serve({ host, port, page: page(), token })
  if (yield* Flags.Json) yield* print(JSON.stringify({ url, token: Redacted.value(token), pid: process.pid }))
  else {
    yield* print(link)
    yield* note(
      `${open ? "If no browser shows it, open" : "Open"} this link in a browser. It gives access: share it with nobody. Ctrl-C ends it.`
    )
  }
  if (open) yield* openPrivately(link)
  return yield* Effect.never
})

/**
 * Opens a link without showing it to other accounts, which see the arguments of every process: the browser is given a
 * file that only this account reads, and the file leads to the link.
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

/** The built page: beside the program, or where the build of a checkout puts it. */
const page = (): string => {
  const beside = Path.join(import.meta.dirname, "explorer")
  const places = ["../explorer", "../../dist/explorer", "../../../explorer/dist"].map((place) =>
    Path.join(import.meta.dirname, place)
  )
  return [beside, ...places].find((folder) => Fs.existsSync(Path.join(folder, "index.html"))) ?? beside
}

export const explore = Command.make("explore", config, (given) =>
  run(given).pipe(Effect.scoped, Effect.provide(Session.layer))
).pipe(
  Command.withDescription(
    `Serve the code-search explorer as a local web page, to browsers that opened the printed link. ${VARIABLE} sets the link's secret, which is otherwise new at each start.`
  )
)
