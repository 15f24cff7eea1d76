/** Bundles a module for browsers, minified. */
import { gzipSync } from "node:zlib"
import * as Effect from "effect/Effect"
import { build } from "rolldown"
import { BenchmarkError } from "../BenchmarkEnvironment.ts"

/** Bytes of a bundle. */
export interface BundleSize {
  readonly minified: number
  readonly gzipped: number
  /** Bytes with gzip of the chunks that load on demand. */
  readonly onDemand: number
  /** Bytes with gzip that each dynamic import loads in addition, by the name of the chunk. */
  readonly parts: ReadonlyMap<string, number>
  /** The code of all chunks. */
  readonly code: string
}

/**
 * Bundles the built packages that a folder depends on. Sizes are of the chunks that load first, unless the name of a
 * member says otherwise.
 */
export const make = (source: string, folder: string = import.meta.dirname) => {
  const entry = `${folder}/entry.js`
  return Effect.tryPromise({
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
      const withImports = (first: string) => {
        const names = new Set([first])
        for (const name of names) for (const imported of chunks.get(name)?.imports ?? []) names.add(imported)
        return names
      }
      const names = withImports(output[0].fileName)
      const codes = [...chunks.values()].map(({ code, fileName }) => ({
        code,
        isInitial: names.has(fileName),
        gzipped: gzippedSize(code)
      }))
      const initial = codes.filter(({ isInitial }) => isInitial)
      const additional = (first: string) =>
        sum([...withImports(first)].flatMap((name) => (names.has(name) ? [] : [gzippedSize(chunks.get(name)?.code)])))
      return {
        minified: sum(initial.map(({ code }) => Buffer.byteLength(code))),
        gzipped: sum(initial.map(({ gzipped }) => gzipped)),
        onDemand: sum(codes.map(({ gzipped, isInitial }) => (isInitial ? 0 : gzipped))),
        parts: new Map(
          [...chunks.values()].flatMap(
            ({ fileName, isDynamicEntry, name }) =>
              isDynamicEntry && !names.has(fileName) ? [[name, additional(fileName)] as const] : [] // a pair
          )
        ),
        code: codes.map(({ code }) => code).join("\n")
      } satisfies BundleSize
    })
  )
}

const gzippedSize = (code = "") => gzipSync(code, { level: 9 }).byteLength

const sum = (values: ReadonlyArray<number>) => values.reduce((sum, value) => sum + value, 0)
