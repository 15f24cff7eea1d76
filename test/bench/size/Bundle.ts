/** A module and all that it imports as one minified file for browsers. */
import { gzipSync } from "node:zlib"
import * as Effect from "effect/Effect"
import { build } from "rolldown"
import { CannotMeasure } from "../Workspace.ts"

const entry = `${import.meta.dirname}/entry.js`

/** Bytes of the file, and of its gzip. */
export const make = (source: string) =>
  Effect.tryPromise({
    try: () =>
      build({
        input: entry,
        platform: "browser",
        logLevel: "silent",
        write: false,
        resolve: { conditionNames: ["@tongs/source", "browser", "import", "default"] },
        plugins: [
          { name: "entry", resolveId: (id) => (id === entry ? id : null), load: (id) => (id === entry ? source : null) }
        ],
        output: { format: "esm", minify: true, codeSplitting: false }
      }),
    catch: (cause) => new CannotMeasure({ detail: `bundling: ${String(cause)}` })
  }).pipe(
    Effect.map(({ output: [{ code }] }) => ({
      minified: Buffer.byteLength(code),
      gzipped: gzipSync(code, { level: 9 }).byteLength
    }))
  )
