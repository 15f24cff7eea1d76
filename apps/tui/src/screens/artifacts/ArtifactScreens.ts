import type { Screen } from "../Screen.ts"
import * as ArtifactDocument from "./ArtifactDocument.ts"
import * as ArtifactList from "./ArtifactList.ts"
import * as Download from "./Download.ts"

/** The lists, the details and the download of artifacts. */
export const screens: ReadonlyArray<Screen> = [
  ArtifactList.ofRepository,
  ArtifactList.ofRun,
  ArtifactDocument.screen,
  Download.screen
]
