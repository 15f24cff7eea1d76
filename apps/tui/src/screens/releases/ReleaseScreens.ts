/** The screens of releases. */
import type { Screen } from "../Screen.ts"
import * as ReleaseDocument from "./ReleaseDocument.ts"
import * as ReleaseList from "./ReleaseList.ts"

export const screens: ReadonlyArray<Screen> = [ReleaseList.screen, ...ReleaseDocument.screens]
