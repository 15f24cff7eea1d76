/** Bundles a module for browsers, minified. */
import { gzipSync } from "node:zlib"
import * as Effect from "effect/Effect"
import { build } from "rolldown"
import { BenchmarkError } from "../BenchmarkEnvironment.ts"

const entry = `${import.meta.dirname}/entry.js`

/** Bytes of a bundle. */
export interface BundleSize {
  readonly minified: number
  readonly gzipped: number
  /** Bytes with gzip of the chunks that load on demand. */
  readonly onDemand: number
  /** The code of all chunks. */
  readonly code: string
}

/** Bundles the built packages. Sizes are of the chunks that load first, unless their name says otherwise. */
export const make = (source: string) =>
  Effect.tryPromise({
    try: () =>
      build({
        input: entry,
        platform: "browser",
        logLevel: "silent",
        write: false,
        resolve: { conditionNames: ["browser", "import", "default"] },
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
      const codes = [...chunks.values()].map(({ code, fileName }) => ({
        code,
        isInitial: names.has(fileName),
        gzipped: gzipSync(code, { level: 9 }).byteLength
      }))
      const initial = codes.filter(({ isInitial }) => isInitial)
      return {
        minified: sum(initial.map(({ code }) => Buffer.byteLength(code))),
        gzipped: sum(initial.map(({ gzipped }) => gzipped)),
        onDemand: sum(codes.map(({ gzipped, isInitial }) => (isInitial ? 0 : gzipped))),
        code: codes.map(({ code }) => code).join("\n")
      } satisfies BundleSize
    })
  )

const sum = (values: ReadonlyArray<number>) => values.reduce((sum, value) => sum + value, 0)
