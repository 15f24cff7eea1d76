/** The progress and the result of a download. */
import type { DownloadResult } from "@tongs/connection/download/DownloadFile"
import * as ArtifactDownload from "@tongs/connection/download/ArtifactDownload"
import type { DownloadProgress } from "@tongs/core/client/DownloadOptions"
import type { Artifact } from "@tongs/core/contract/groups/Artifacts"
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import * as Document from "../../content/Document.ts"
import type { DocumentLine } from "../../content/Document.ts"
import * as StyledLine from "../../text/StyledLine.ts"
import type { Line, Role } from "../../text/StyledLine.ts"

/** The state of a download. */
export type Phase =
  | { readonly _tag: "Running" }
  | { readonly _tag: "Saved"; readonly result: DownloadResult; readonly wanted: string | undefined }
  | { readonly _tag: "Exists"; readonly digest: string; readonly wanted: string | undefined }
  | { readonly _tag: "Failed"; readonly reason: string; readonly hint: string }

/** The state of a download during the transfer. */
export const starting: Phase = { _tag: "Running" }

/** Creates the state of a complete download. `wanted` is the digest that the forge names. */
export const saved = (result: DownloadResult, wanted: string | undefined): Phase => ({ _tag: "Saved", result, wanted })

/** Creates the state of a download whose file exists already. */
export const exists = (digest: string, wanted: string | undefined): Phase => ({ _tag: "Exists", digest, wanted })

/** Creates the state of a download that failed. */
export const failed = (reason: string, hint: string): Phase => ({ _tag: "Failed", reason, hint })

/** Maximum width of the bar in columns. */
const MAX_BAR_WIDTH = 60

/** Creates the document of a download. `first` is the number of bytes from before, `elapsed` in milliseconds. */
export const make = (
  artifact: Artifact,
  path: string,
  phase: Phase,
  progress: DownloadProgress,
  first: number,
  elapsed: number
): Document.Document =>
  Document.make(
    path,
    (columns) => {
      const wrapped = (text: string, role: Role): ReadonlyArray<DocumentLine> =>
        text === "" ? [] : StyledLine.wrap(text, columns).map((part) => ({ line: StyledLine.line(part, role) }))
      return Document.fromLines([
        ...wrapped(artifact.name, "title"),
        { line: StyledLine.empty },
        { line: StyledLine.line("saves to", "muted") },
        ...wrapped(path, "strong"),
        { line: StyledLine.empty },
        ...phaseLines(phase, progress, first, elapsed, columns, wrapped)
      ])
    },
    { value: artifact }
  )

const phaseLines = (
  phase: Phase,
  progress: DownloadProgress,
  first: number,
  elapsed: number,
  columns: number,
  wrapped: (text: string, role: Role) => ReadonlyArray<DocumentLine>
): ReadonlyArray<DocumentLine> => {
  switch (phase._tag) {
    case "Running":
      return [
        { line: bar(progress, columns) },
        { line: StyledLine.line(ArtifactDownload.progressText(progress, first, elapsed)) },
        { line: StyledLine.empty },
        ...wrapped(
          "Press Esc to go back; the download continues. Quitting stops the download, and the next one resumes it.",
          "muted"
        )
      ]
    case "Saved":
      return [
        { line: bar({ received: phase.result.size, total: phase.result.size }, columns) },
        ...wrapped(
          `✓ ${ArtifactDownload.summary(phase.result, phase.wanted)}`,
          phase.wanted === undefined ? "warning" : "success"
        ),
        ...(phase.wanted === undefined ? wrapped(phase.result.digest, "id") : [])
      ]
    case "Exists":
      return phase.wanted?.toLowerCase() === phase.digest
        ? wrapped(`✓ The file exists and is complete: verified ${phase.digest}`, "success")
        : [
            ...wrapped("✗ A file of this name exists. It was not changed.", "error"),
            ...wrapped(phase.digest, "id"),
            ...wrapped("Press Esc to go back and choose another file.", "muted")
          ]
    case "Failed":
      return [
        ...wrapped(`✗ ${phase.reason}`, "error"),
        ...wrapped(phase.hint, "muted"),
        ...wrapped("r tries again, and resumes what was received", "muted")
      ]
  }
}

const bar = ({ received, total }: DownloadProgress, columns: number): Line => {
  if (total === undefined) return StyledLine.line(NumberFormat.bytes(received), "accent")
  const share = total === 0 ? 1 : Math.min(1, received / total)
  const percent = `${Math.floor(share * 100)} %`.padStart(6)
  const width = Math.max(4, Math.min(MAX_BAR_WIDTH, columns - percent.length))
  const done = Math.round(share * width)
  return [
    StyledLine.span("█".repeat(done), "accent"),
    StyledLine.span("░".repeat(width - done), "muted"),
    StyledLine.span(percent, "strong")
  ]
}
