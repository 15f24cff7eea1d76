/** Bundles a module for browsers, minified, without chunks that load later. */
import { gzipSync } from "node:zlib"
import * as Effect from "effect/Effect"
import { build } from "rolldown"
import { BenchmarkError } from "../BenchmarkEnvironment.ts"

const entry = `${import.meta.dirname}/entry.js`

/** Returns bytes, minified and with gzip. */
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
        output: { format: "esm", minify: true }
      }),
    catch: (cause) => new BenchmarkError({ detail: `bundling: ${String(cause)}` })
  }).pipe(
    Effect.map(({ output }) => {
      const chunks = new Map(output.flatMap((part) => (part.type === "chunk" ? [[part.fileName, part] as const] : [])))
      const names = new Set([output[0].fileName])
      for (const name of names) for (const imported of chunks.get(name)?.imports ?? []) names.add(imported)
      const codes = [...names].map((name) => chunks.get(name)?.code ?? "")
      return {
        minified: sum(codes.map((code) => Buffer.byteLength(code))),
        gzipped: sum(codes.map((code) => gzipSync(code, { level: 9 }).byteLength))
      }
    })
  )

const sum = (values: ReadonlyArray<number>) => values.reduce((sum, value) => sum + value, 0)
