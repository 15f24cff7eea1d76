/** Orders the definitions of a name for a use: those first that it can see and mean. */
import * as PathText from "@tongs/core/text/PathText"
import type { Definition } from "@tongs/core/contract/groups/CodeNavigation"
import * as FileKind from "../../FileKind.ts"
import { familyOf } from "../LanguageFamily.ts"
import * as KindFit from "./KindFit.ts"
import * as PathFacts from "./PathFacts.ts"
import { isOfOneFile, isPrototype } from "./Prototype.ts"
import type { Use } from "./Use.ts"
import * as Visibility from "./Visibility.ts"

/** Points of each fact. */
const points = {
  sameRepository: 2_000,
  /** The file of the definition is imported or included, or is in the same package. */
  visible: 300,
  sameFile: 260,
  sameFolder: 60,
  sharedFolder: 10,
  /** A header that other folders can include. */
  publicHeader: 100,
  /** The file names begin with the same word. */
  sameStem: 70,
  /** A name of the path before the dot is a folder or file of the definition. */
  namedInPath: 40,
  /** The definition's container is the type or the package before the dot. */
  container: 400,
  otherContainer: -80,
  role: 200,
  otherRole: -250,
  /** A function that only its own file sees, in another file. */
  hidden: -400,
  prototype: -150,
  otherLanguage: -1_500,
  /** A file for another purpose than the one of the use: a test, a tool, generated or foreign. */
  otherPurpose: 14,
  otherMachine: -60
}

/** A definition with the rank of its file for the name alone. */
export interface Candidate {
  readonly definition: Definition
  readonly rank: number
  /** True in the repository of the use. */
  readonly isHere: boolean
}

/** Orders candidates for a use, best first, and marks the candidates that the use certainly sees. */
export const order = (use: Use, candidates: ReadonlyArray<Candidate>): ReadonlyArray<Definition> => {
  const seen = new Set(candidates.filter(({ definition, isHere }) => isHere && Visibility.sees(use, definition)))
  const prototypes = [...seen].filter(({ definition }) => isPrototype(definition))
  const scored = candidates.map((candidate) => {
    const isVisible = seen.has(candidate)
    // A prototype shows that the use sees the definition, which is in another file.
    const declared = pointsOfDeclared(candidate, prototypes)
    const score = pointsOf(use, candidate, isVisible) + declared
    return { definition: candidate.definition, isVisible: isVisible || declared > 0, score }
  })
  return scored
    .toSorted((a, b) => b.score - a.score)
    .map(({ definition, isVisible, score }) => {
      const isCertain =
        isVisible &&
        isProven(use, definition) &&
        KindFit.compare(use, definition) >= 0 &&
        score > points.sameRepository + points.visible
      return isCertain ? { ...definition, certain: true } : definition
    })
}

/** False for a member of a value whose type is not known: only its name is equal. */
const isProven = (use: Use, definition: Definition): boolean =>
  !use.isMember || use.source !== undefined || Visibility.isOfContainer(use, definition) === true

const pointsOf = (use: Use, candidate: Candidate, isVisible: boolean): number =>
  pointsOfMeaning(use, candidate.definition) +
  pointsOfLocation(use, candidate, isVisible) +
  pointsOfPurpose(use, candidate) +
  candidate.rank / 10

/** Returns points for the role of the use and the kind and container of the definition. */
const pointsOfMeaning = (use: Use, definition: Definition): number => {
  const fit = KindFit.compare(use, definition)
  const isMember = Visibility.isOfContainer(use, definition)
  let sum = fit > 0 ? points.role : fit < 0 ? points.otherRole : 0
  if (isMember !== undefined) sum += isMember ? points.container : points.otherContainer
  if (isPrototype(definition)) sum += points.prototype
  return sum
}

/** Returns points for the distance of the files. */
const pointsOfLocation = (use: Use, { definition, isHere }: Candidate, isVisible: boolean): number => {
  const { path } = definition
  const isSameFile = isHere && path === use.path
  const isSameFolder = PathText.folderOf(path) === PathText.folderOf(use.path)
  let sum = isVisible ? points.visible : 0
  if (familyOf(path) !== familyOf(use.path)) sum += points.otherLanguage
  if (!isSameFile && isOfOneFile(definition)) sum += points.hidden
  if (use.source !== undefined || use.isMember) {
    const names = [...(use.source?.target ?? "").split(/[^\w-]+/), ...use.qualifier].filter((name) => name !== "")
    sum += points.namedInPath * PathFacts.countNamed(names, path)
  }
  if (!isHere) return sum
  sum += points.sameRepository + points.sharedFolder * PathFacts.sharedFolders(path, use.path)
  if (isSameFile) sum += Visibility.isOfContainer(use, definition) === false ? 0 : points.sameFile
  else if (isSameFolder) sum += points.sameFolder
  if (familyOf(path) === "c") {
    if (/(?:^|\/)include\/.*\.h$/.test(path)) sum += points.publicHeader
    if (isSameFolder && PathFacts.stemOf(path) === PathFacts.stemOf(use.path)) sum += points.sameStem
  }
  return sum
}

/** Returns negative points for a file of another purpose or for another machine. */
const pointsOfPurpose = (use: Use, { definition: { path }, isHere }: Candidate): number => {
  const own = FileKind.pointsOf(path)
  const isOtherArea = isHere && PathFacts.areaOf(path) !== PathFacts.areaOf(use.path)
  const purpose = isOtherArea ? own : Math.min(0, own - Math.max(FileKind.pointsOf(use.path), own))
  const machine = PathFacts.machineOf(path)
  const isOtherMachine = machine !== undefined && machine !== PathFacts.machineOf(use.path)
  return points.otherPurpose * purpose + (isOtherMachine ? points.otherMachine : 0)
}

/** Returns points for a definition whose prototype a use sees, more if it is beside the prototype. */
const pointsOfDeclared = ({ definition, isHere }: Candidate, prototypes: ReadonlyArray<Candidate>): number => {
  const isHidden = !isHere || isPrototype(definition) || isOfOneFile(definition) || definition.scope !== undefined
  if (prototypes.length === 0 || isHidden || definition.kind !== "function") return 0
  const folder = PathText.folderOf(definition.path)
  const isBeside = prototypes.some((one) => PathText.folderOf(one.definition.path) === folder)
  return points.visible + (isBeside ? points.sameFolder : 0)
}
