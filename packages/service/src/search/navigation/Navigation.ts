/** Definitions and references by grammar, scopes and imports: the methods of the worker. */
import type { BlobReader } from "../BlobReader.ts"
import type { IndexedContent } from "../CodeIndex.ts"
import type { ContentReaders } from "../ContentSearch.ts"
import * as Manifests from "../packages/Manifests.ts"
import * as DocumentText from "../text/DocumentText.ts"
import * as DefinitionTexts from "./definitions/DefinitionText.ts"
import * as Locate from "./definitions/Locate.ts"
import * as PackageExports from "./packages/PackageExports.ts"
import * as PackageReferences from "./packages/PackageReferences.ts"
import type { Place } from "./Place.ts"
import type { ReferenceQuery } from "./references/ReferenceQuery.ts"
import * as References from "./references/References.ts"
import { type Commit, RepositoryFiles } from "./RepositoryFiles.ts"

export type Position = Locate.Position
export type Located = Locate.Located
export type DefinitionText = DefinitionTexts.DefinitionText
export type PackageExport = PackageExports.PackageExport
export type PackageReferencesInput = PackageReferences.PackageReferenceQuery
export type ReferencesInput = ReferenceQuery
export type ReferencesOutput = References.Output

/** A manifest by the id of its content. */
export interface ManifestFile {
  readonly gitDir: string
  readonly oid: string
  readonly path: string
  /** The content in the index. Undefined if only git has it. */
  readonly index?: IndexedContent | undefined
}

/** A definition to describe. */
export interface DefinitionPlace extends Commit {
  readonly path: string
  readonly name: string
  /** Line number, from 1. */
  readonly line: number
}

/** Creates the methods, which share a cache of parsed files. */
export const make = (readers: ContentReaders) => {
  const files = new RepositoryFiles(readers.blobs)
  return {
    locate: (position: Position): Promise<Located> => Locate.locate(files, position),
    packages: (
      repositories: ReadonlyArray<ReadonlyArray<ManifestFile>>
    ): Promise<ReadonlyArray<ReadonlyArray<Manifests.DeclaredPackage>>> =>
      Promise.all(repositories.map((manifests) => packages(readers, manifests))),
    exported: (input: PackageExports.PackageExport): Promise<ReadonlyArray<Place>> => PackageExports.find(files, input),
    describe: (places: ReadonlyArray<DefinitionPlace>): Promise<ReadonlyArray<DefinitionText>> =>
      Promise.all(places.map((place) => describe(files, place))),
    references: (input: ReferencesInput, { signal }: { readonly signal: AbortSignal }): Promise<ReferencesOutput> =>
      References.find(files, input, signal),
    packageReferences: (
      input: PackageReferencesInput,
      { signal }: { readonly signal: AbortSignal }
    ): Promise<ReferencesOutput["uses"]> => PackageReferences.find(files, input, signal)
  }
}

const packages = async (readers: ContentReaders, manifests: ReadonlyArray<ManifestFile>) => {
  const reader = await import("../packages/ManifestReader.ts")
  const found: Array<Manifests.DeclaredPackage> = []
  for (const manifest of manifests) {
    const text = fromIndex(readers, manifest) ?? (await fromGit(readers.blobs, manifest))
    if (text !== undefined && text.length <= Manifests.MAX_BYTES) found.push(...reader.read(manifest.path, text))
  }
  return found
}

const fromIndex = ({ stored }: ContentReaders, { index }: ManifestFile): string | undefined => {
  try {
    return index === undefined ? undefined : stored.read([index], true)[0]?.text
  } catch {
    // The index lost the content meanwhile, or it is damaged. Then git has it.
    return undefined
  }
}

const fromGit = async (blobs: BlobReader, { gitDir, oid }: ManifestFile): Promise<string | undefined> => {
  const blob = await blobs.read(gitDir, oid, Manifests.MAX_BYTES).catch(
    // An unreadable manifest is as good as none.
    () => undefined
  )
  const read = blob?.bytes === undefined ? undefined : DocumentText.read(blob.bytes)
  return read?._tag === "Text" ? read.text : undefined
}

const describe = async (files: RepositoryFiles, place: DefinitionPlace): Promise<DefinitionText> => {
  const text = await files.text(place, place.path)
  if (text === undefined) return {}
  const file = await files.file(place, place.path)
  return DefinitionTexts.make(place.path, text, file, place.name, place.line)
}
