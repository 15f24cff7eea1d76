/** `tongs explore`: the code-search explorer in a browser. */
import * as Fs from "node:fs"
import * as Path from "node:path"
import * as Effect from "effect/Effect"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Browser from "@tongs/connection/Browser"
import * as Flags from "../Flags.ts"
import { Output } from "../Output.ts"
import * as Session from "../Session.ts"

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
  const { url } = yield* serve({ host, port, page: page() })
  yield* (yield* Flags.Json) ? print(JSON.stringify({ url, pid: process.pid })) : print(url)
  if (open) yield* Effect.sync(() => Browser.open(new URL(url)))
  else if (!(yield* Flags.Json)) yield* note("Open it in a browser. Ctrl-C ends it.")
  return yield* Effect.never
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
).pipe(Command.withDescription("Serve the code-search explorer as a local web page"))
